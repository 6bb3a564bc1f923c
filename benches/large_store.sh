#!/usr/bin/env bash
# Times `catalog` as a whole process on generated homes of 200, 2,000 and 10,000 skills in a folder, and of 10,000 with
# 90,000 more in the store; with a short prompt and with one of 5,000 words, warm index. Prints medians, their ratio to
# /bin/true in the same run, and peak memory; then what it costs to make the index, and to look whether it is still
# true. Needs hyperfine, python3, GNU time as /usr/bin/time, and 3 GB of disk.
#
#   benches/large_store.sh [FOLDER]
#
# The homes are made in FOLDER and kept there, so that a second run need not; without one they are temporary.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in hyperfine python3; do
  command -v "$tool" >/dev/null || { echo "benches/large_store.sh needs $tool" >&2; exit 2; }
done
/usr/bin/time -f %M true >/dev/null 2>&1 ||
  { echo "benches/large_store.sh needs GNU time as /usr/bin/time" >&2; exit 2; }
cargo build --release --locked --quiet
program=$(pwd)/target/release/skillflux
if [ $# -gt 0 ]; then work=$1; mkdir -p "$work"; work=$(cd "$work" && pwd); else
  work=$(mktemp -d); trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
fi
mkdir -p "$work/project"

for count in 200 2000 10000; do
  if [ ! -d "$work/$count" ]; then
    mkdir -p "$work/$count/.claude"
    python3 benches/generate.py "$work/made$count" "$count"
    mv "$work/made$count/skills" "$work/$count/.claude/skills"
  fi
done
if [ ! -d "$work/stored" ]; then
  python3 benches/generate.py "$work/made" 90000 10000
  mkdir -p "$work/filling"
  cp -r "$work/10000/.claude" "$work/filling/"
  SKILLFLUX_FILL_FROM=$work/made/skills SKILLFLUX_FILL_CACHE=$work/filling/.cache/skillflux \
    cargo test --release --locked --quiet --lib -- --ignored --exact store::tests::large::a_store_of_many_skills >/dev/null
  mv "$work/filling" "$work/stored"
  rm -rf "$work/made"
fi

short="review the sales report and draft a plan for the invoice database"
python3 - "$work/long" <<'PY'
import random, sys
words = "review the sales report and draft a plan for the invoice database gamo tilu vora zenu kopi data when user asks".split()
rnd = random.Random(5)
open(sys.argv[1], "w").write(" ".join(rnd.choice(words) for _ in range(5000)))
PY

cd "$work/project"
# What a run is called, its home, and its command.
names=() commands=()
for home in 200 2000 10000 stored; do
  clean="env -i HOME=$work/$home $program"
  begun=$(date +%s.%N)
  $clean index rebuild >/dev/null
  $clean catalog "$short" >/dev/null
  echo "index of $home: $(python3 -c "import time; print(f'{time.time() - $begun:.1f}')") s, $(du -sm "$work/$home/.cache/skillflux/v1/index" | cut -f1) MB"
  names+=("$home, 11 words" "$home, 5,000 words" "$home, index status")
  commands+=("$clean catalog '$short'" "$clean catalog '$(cat "$work/long")'" "$clean index status")
done
# Files of the last two seconds are looked at again by each run.
sleep 3
hyperfine --shell=none --warmup 3 --runs "${RUNS:-30}" --export-json "$work/times.json" --style none \
  "/bin/true" "env -i /bin/true" "${commands[@]}" >/dev/null 2>&1
rm -f "$work/peaks"
for command in "${commands[@]}"; do
  eval "/usr/bin/time -a -o '$work/peaks' -f %M $command" </dev/null >/dev/null 2>&1
done
printf '%s\n' "${names[@]}" > "$work/names"
python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
results = json.load(open(work + "/times.json"))["results"]
true, env = results[0]["median"], results[1]["median"]
names = open(work + "/names").read().splitlines()
peaks = [int(line) / 1024 for line in open(work + "/peaks")]
print(f"floor: /bin/true {true*1000:.2f} ms, through env {env*1000:.2f} ms (subtracted below); medians")
print(f"{'skills, prompt':28} {'ms':>8} {'x /bin/true':>12} {'peak MiB':>9}")
for name, result, peak in zip(names, results[2:], peaks):
    own = result["median"] - env + true
    print(f"{name:28} {own*1000:8.2f} {own/true:12.1f} {peak:9.1f}")
PY
