#!/usr/bin/env bash
# Runs the long forms of the tests of reliability in release mode and prints their tables in Markdown: the figures
# of docs/reliability.md. Takes about half an hour; as root and with strace installed nothing is skipped.
#
#   benches/reliability.sh [PART...]
#
# PART is one of storm, starvation, corruption, figures, crash, syscalls, races, fuzzing; all of them without one.
# SKILLFLUX_STORM_SECONDS is how long each storm lasts (60).
set -euo pipefail
cd "$(dirname "$0")/.."
parts=("${@:-storm starvation corruption figures crash syscalls races fuzzing}")
for part in ${parts[*]}; do
  case $part in
    storm|starvation|corruption|figures) binary=(--lib) filter="store::tests::$part" ;;
    crash|syscalls|races) binary=(--test it) filter="reliability::$part" ;;
    fuzzing) binary=(--test it) filter=fuzzing:: ;;
    *) echo "benches/reliability.sh knows no part $part" >&2; exit 2 ;;
  esac
  printf '\n## %s\n\n' "$part"
  output=$(cargo test --release --locked --quiet "${binary[@]}" -- --ignored --nocapture --test-threads=1 "$filter" 2>&1) ||
    { printf '%s\n' "$output" >&2; exit 1; }
  grep -oE '\|.*\||skipped: .*' <<< "$output"
done
