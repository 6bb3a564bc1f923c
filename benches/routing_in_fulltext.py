#!/usr/bin/env python3
"""Runs the cases of a routing corpus (the form of eval/README.md) in `routerMode: fulltext` and prints where it chooses
otherwise than the case expects, as a Markdown table: the differences that docs/retrieval.md defends.

    benches/routing_in_fulltext.py CASES [PROGRAM]

Each case gets a home of its own with the candidates of its pool, without bodies, as the corpus has none.
"""
import json
import os
import subprocess
import sys
import tempfile

if len(sys.argv) not in (2, 3):
    sys.exit("usage: benches/routing_in_fulltext.py CASES [PROGRAM]")
corpus = json.load(open(sys.argv[1], encoding="utf-8"))
program = os.path.abspath(sys.argv[2] if len(sys.argv) == 3 else "target/release/skillflux")
BUNDLED = {"summarize-report", "prepare-decision", "using-skillflux"}
everyone = {one["key"]: one for one in corpus["candidates"]}
for pool in corpus.get("poolSets", {}).values():
    everyone.update({one["key"]: one for one in pool})


def chosen(case):
    limit = case.get("limit", corpus["defaults"]["limit"])
    keys = case["pool"] + [one["key"] for one in corpus.get("poolSets", {}).get(case.get("poolSet"), [])]
    with tempfile.TemporaryDirectory() as home:
        of_name = {}
        for key in keys:
            one = everyone[key]
            folder = os.path.join(home, ".claude", "skills", key.replace("/", "-").replace(":", "-"))
            os.makedirs(folder)
            header = {"name": one["name"], "description": one["description"]}
            if one.get("whenToUse"):
                header["whenToUse"] = one["whenToUse"]
            with open(os.path.join(folder, "SKILL.md"), "w", encoding="utf-8") as file:
                # JSON is YAML.
                file.write("---\n" + "\n".join(f"{k}: {json.dumps(v, ensure_ascii=False)}" for k, v in header.items()) + "\n---\n")
            of_name.setdefault(one["name"], key)
        if case.get("routes"):
            folder = os.path.join(home, ".config", "skillflux")
            os.makedirs(folder)
            with open(os.path.join(folder, "config.yaml"), "w", encoding="utf-8") as file:
                file.write("routes: " + json.dumps(case["routes"], ensure_ascii=False) + "\n")
        environment = {"HOME": home, "PATH": os.environ["PATH"]}
        # The bundled skills are no part of a case, and may take places.
        command = [program, "catalog", "--json", "--max", str(limit + len(BUNDLED)), "-"]
        ran = subprocess.run(command, input=case["task"], text=True, capture_output=True, env=environment, cwd=home)
        if ran.returncode != 0:
            sys.exit(f"{case['id']}: {ran.stderr}")
        names = [skill["title"] for skill in json.loads(ran.stdout)["skills"] if skill["name"] not in BUNDLED]
        return [of_name.get(name, name) for name in names][:limit]


same = 0
print("| case | task | expected | fulltext |\n| --- | --- | --- | --- |")
for case in corpus["cases"]:
    found = chosen(case)
    if found == case["expected"]:
        same += 1
    else:
        task = case["task"].replace("\n", " ")
        show = lambda keys: ", ".join(keys) or "nothing"
        print(f"| {case['id']} | {task[:90]} | {show(case['expected'])} | {show(found)} |")
print(f"\n{same} of {len(corpus['cases'])} as expected")
