#!/usr/bin/env bash
# Lays out two real static models, taken from packages of the Python registry, with the vectors that the
# packages' own code gives, and the ids that the `tokenizers` library gives for many texts:
#
#   tests/peers/static_model.sh DIR
#   SKILLFLUX_TEST_MODELS=DIR cargo test --locked --test it static_model -- --nocapture
#
# Nothing of it is part of skillflux. It needs python3 with venv, the registry, and 250 MB in DIR.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
target="${1:?usage: tests/peers/static_model.sh DIR}"
mkdir -p "$target"

if [ ! -x "$target/venv/bin/python" ]; then
  python3 -m venv "$target/venv"
fi
"$target/venv/bin/pip" install --quiet --disable-pip-version-check \
  wordllama==0.4.0.post1 tokenlearn-static-model==0.1.1 model2vec==0.8.2 tokenizers==0.23.1
"$target/venv/bin/python" "$here/static_reference.py" "$target"
