"""Writes models, expected vectors and expected ids for tests/it/static_model.rs; see static_model.sh."""

import json
import pathlib
import random
import shutil
import sys

import numpy
import static_model
import wordllama
from model2vec import StaticModel
from safetensors.numpy import load_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
from wordllama.inference import WordLlamaInference

TARGET = pathlib.Path(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Texts as they are compared: white space is single, and nothing looks like a secret.
TEXTS = [
    "Make this scanned receipt searchable",
    "Skill: ocr-reader Description: Extract printed words from images",
    "Skill: calendar-agent Description: Manage meetings and events",
    "Skill: web-vitals When to use: a page is slow Description: Diagnose browser loading",
    "Why does this page feel sluggish to visitors?",
    "Résumé for a naïve café owner, in UTF-8",
    "分析这个表格 and write a report",
    "PDF, DOCX and XLSX: tables; figures... footnotes!",
    "日本語の文書を要約する",
    "🧪 test the API (v2.0) with curl",
    "a",
]


def copy_models():
    """The models' own files, in the layout of the packages' repositories."""
    package = pathlib.Path(wordllama.__file__).parent
    folder = TARGET / "wordllama"
    folder.mkdir(exist_ok=True)
    shutil.copy(package / "weights/l2_supercat_256.safetensors", folder / "l2_supercat_256.safetensors")
    shutil.copy(package / "tokenizers/l2_supercat_tokenizer_config.json", folder / "tokenizer.json")
    shutil.copytree(
        pathlib.Path(static_model.__file__).parent / "model", TARGET / "model2vec", dirs_exist_ok=True
    )


def vectors():
    """Of every text, by each package's own code."""
    folder = TARGET / "wordllama"
    weights = load_file(folder / "l2_supercat_256.safetensors")["embedding.weight"]
    llama = WordLlamaInference(weights, Tokenizer.from_file(str(folder / "tokenizer.json")))
    model2vec = StaticModel.from_pretrained(TARGET / "model2vec")
    made = {"wordllama": llama.embed(TEXTS, norm=True), "model2vec": model2vec.encode(TEXTS)}
    cases = {}
    for name, rows in made.items():
        rows = numpy.asarray(rows, dtype=numpy.float64)
        rows /= numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        cases[name] = [{"text": text, "vector": row.tolist()} for text, row in zip(TEXTS, rows)]
    return cases


def corpus():
    """Lines of this project, and lines of characters from everywhere."""
    lines = [line for path in sorted(ROOT.glob("*.md")) for line in path.read_text().splitlines() if line]
    chance = random.Random(7)
    blocks = [
        (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x5D0, 0x5EA),
        (0x621, 0x64A), (0x900, 0x97F), (0x1100, 0x11FF), (0x2000, 0x206F), (0x2100, 0x214F), (0x3040, 0x30FF),
        (0x4E00, 0x4FFF), (0xAC00, 0xAD00), (0xFB00, 0xFB06), (0xFF01, 0xFF5E), (0x1F600, 0x1F64F),
        (0x20000, 0x20050),
    ]
    odd = []
    for _ in range(400):
        low, high = chance.choice(blocks)
        other = chance.choice(blocks)
        length = chance.randrange(1, 24)
        picks = [(low, high), other, (0x20, 0x20), (0x61, 0x7A)]
        odd.append("".join(chr(chance.randint(*chance.choice(picks))) for _ in range(length)))
    return lines, odd + ["", " ", "  a  b ", "\ta\nb\u00a0c", "</s> [UNK] <unk>", "e\u0301\u0301", "👩‍👩‍👧", "x" * 300]


def trained(lines):
    """Tokenizers of every kind, trained on the project's own texts."""
    bert = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    bert.normalizer = normalizers.BertNormalizer(lowercase=True)
    bert.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    bert.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=3000, special_tokens=["[UNK]"]))
    cased = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    cased.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.BertNormalizer(lowercase=False)])
    cased.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()]
    )
    cased.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=3000, special_tokens=["[UNK]"]))
    unigram = Tokenizer(models.Unigram())
    unigram.normalizer = normalizers.Sequence(
        [normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Strip()]
    )
    unigram.pre_tokenizer = pre_tokenizers.Metaspace()
    unigram.train_from_iterator(
        lines, trainers.UnigramTrainer(vocab_size=3000, special_tokens=["<unk>"], unk_token="<unk>")
    )
    bpe = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    bpe.normalizer = normalizers.NFC()
    bpe.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    bpe.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=3000, special_tokens=["<unk>"]))
    words = Tokenizer(models.WordLevel(unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    words.train_from_iterator(lines, trainers.WordLevelTrainer(vocab_size=3000, special_tokens=["?"]))
    return {"bert": bert, "cased": cased, "unigram": unigram, "bpe": bpe, "words": words}


def main():
    copy_models()
    lines, odd = corpus()
    tokenizers = trained(lines)
    for name in ("wordllama", "model2vec"):
        tokenizers[name] = Tokenizer.from_file(str(TARGET / name / "tokenizer.json"))
    ids = {}
    for name, tokenizer in tokenizers.items():
        tokenizer.save(str(TARGET / f"tokenizer-{name}.json"))
        tokenizer = Tokenizer.from_file(str(TARGET / f"tokenizer-{name}.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        # A text of a control token is text in skillflux, so these are left to the texts above.
        plain = [text for text in lines[:400] + odd if not any(mark in text for mark in "<[")]
        encoded = (tokenizer.encode(text, add_special_tokens=False).ids for text in plain)
        ids[name] = [{"text": text, "ids": found} for text, found in zip(plain, encoded)]
    (TARGET / "expected.json").write_text(json.dumps({"vectors": vectors(), "ids": ids}, ensure_ascii=False))
    print(f"wrote {TARGET / 'expected.json'}: {sum(map(len, ids.values()))} texts, {len(TEXTS)} vectors a model")


main()
