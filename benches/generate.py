#!/usr/bin/env python3
"""Writes N skills to OUT/skills, the same ones every time.

    benches/generate.py OUT N [FIRST]

FIRST is the number of the first one (0); skills of other numbers have other names and texts.

Each has a header of about 300 bytes and five paragraphs; every third folder also has a reference and
every fourth a script. Used by whole_process.sh and peers.sh.
"""
import os
import random
import sys

if len(sys.argv) not in (3, 4):
    sys.exit("usage: benches/generate.py OUT N [FIRST]")
out, count = sys.argv[1], int(sys.argv[2])
first = int(sys.argv[3]) if len(sys.argv) == 4 else 0
rnd = random.Random(7 + first)
words = "audit report plan invoice database chart review draft sales query deploy table convert schema ticket memo the a when user asks file data step".split()


# Rare words, made of syllables, so that words are as unevenly common as in a language.
syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
rare = random.Random(11)
vocabulary = words + ["".join(rare.choice(syllables) for _ in range(rare.randint(2, 4))) for _ in range(30000)]


def text(n):
    return " ".join(vocabulary[int(len(vocabulary) ** rnd.random()) - 1] for _ in range(n))


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)


for i in range(first, first + count):
    name = f"{rnd.choice(words[:16])}-{rnd.choice(words[:16])}-{i}"
    folder = os.path.join(out, "skills", name)
    body = "\n\n".join(f"## Step {k}\n\n{text(60)}." for k in range(1, 6))
    write(
        os.path.join(folder, "SKILL.md"),
        f'---\nname: {name}\ndescription: {text(24)}. Use when the user wants to {name}.\nlicense: MIT\n'
        f'metadata:\n  version: "1.0.{i}"\n---\n\n# {name}\n\n{body}\n',
    )
    if i % 3 == 0:
        write(os.path.join(folder, "references", "guide.md"), text(150))
    if i % 4 == 0:
        write(os.path.join(folder, "scripts", "run.sh"), "#!/bin/sh\n")
