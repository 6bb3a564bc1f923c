#!/usr/bin/env bash
# Times the released program as a whole process, on generated skill folders, and prints each figure
# with its ratio to /bin/true in the same run and its peak memory. Needs hyperfine, python3 and GNU
# time as /usr/bin/time (its `-f %M` tells the peak memory of the program alone).
#
#   benches/whole_process.sh [GENERATOR]
#
# GENERATOR is a command that, run as `GENERATOR OUT N`, writes N skills to OUT/skills; it is
# benches/generate.py when none is given.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in hyperfine python3; do
  command -v "$tool" >/dev/null || { echo "benches/whole_process.sh needs $tool" >&2; exit 2; }
done
/usr/bin/time -f %M true >/dev/null 2>&1 ||
  { echo "benches/whole_process.sh needs GNU time as /usr/bin/time" >&2; exit 2; }
read -ra generator <<< "${1:-python3 benches/generate.py}"
cargo build --release --locked --quiet
program=$(pwd)/target/release/skillflux
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# home NAME ROOT... makes an empty home whose agents' folders are the given corpora.
home() {
  local name=$1 agent; shift
  mkdir -p "$work/$name"
  for agent in .claude .agents; do
    [ $# -gt 0 ] || break
    mkdir -p "$work/$name/$agent"; cp -r "$1/skills" "$work/$name/$agent/skills"; shift
  done
}
"${generator[@]}" "$work/corpus200" 200
"${generator[@]}" "$work/corpus2000" 2000
# A second corpus of 200 skills with other names.
cp -r "$work/corpus200" "$work/other200"
for folder in "$work"/other200/skills/*; do
  name=$(basename "$folder")
  sed -i "s/^name: .*/name: x-$name/" "$folder/SKILL.md"
  mv "$folder" "$(dirname "$folder")/x-$name"
done
home none; home one "$work/corpus200"; home two "$work/corpus200" "$work/other200"; home many "$work/corpus2000"

task="review the sales report and draft a plan for the invoice database"
mkdir -p "$work/project"; cd "$work/project"
run() { # NAME HOME ARGUMENTS...
  local name=$1 home=$2; shift 2
  printf '%s\n' "$name" >> "$work/names"
  printf 'env -i HOME=%s/%s %s %s\n' "$work" "$home" "$program" "$*" >> "$work/commands"
}
run "--version" none --version
run "--help" none --help
run "list, 0 skills" none list
run "list, 200" one list
run "list, 200 and 200 in a second folder" two list
run "list, 2,000" many list
run "catalog, 200" one "catalog '$task'"
run "catalog, 2,000" many "catalog '$task'"

arguments=()
while read -r command; do arguments+=("$command"); done < "$work/commands"
hyperfine --shell=none --warmup 5 --runs "${RUNS:-50}" --export-json "$work/times.json" --style none \
  "/bin/true" "env -i /bin/true" "${arguments[@]}" >/dev/null 2>&1

while read -r command; do
  eval "/usr/bin/time -a -o '$work/peaks' -f %M $command" </dev/null >/dev/null 2>&1
done < "$work/commands"

python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
results = json.load(open(work + "/times.json"))["results"]
names = open(work + "/names").read().splitlines()
peaks = [int(line) / 1024 for line in open(work + "/peaks")]
true, env = results[0]["median"], results[1]["median"]
print(f"floor: /bin/true {true*1000:.2f} ms, through env {env*1000:.2f} ms (subtracted below); medians")
print(f"{'case':40} {'ms':>8} {'x /bin/true':>12} {'peak MiB':>9}")
for name, result, peak in zip(names, results[2:], peaks):
    own = result["median"] - env + true
    print(f"{name:40} {own*1000:8.2f} {own/true:12.1f} {peak:9.1f}")
PY
