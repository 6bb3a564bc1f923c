#!/usr/bin/env bash
# Times the released program as a whole process, on generated skill folders, and prints each figure
# with its ratio to /bin/true in the same run. Needs hyperfine, python3 and GNU time.
#
#   benches/whole_process.sh [GENERATOR]
#
# GENERATOR is a command that is run as `GENERATOR OUT N` that writes N skills to OUT/skills; without it
# the script writes its own, of the same shape: a header of about 300 bytes, five paragraphs, a
# reference in every third folder and a script in every fourth.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in hyperfine python3; do
  command -v "$tool" >/dev/null || { echo "benches/whole_process.sh needs $tool" >&2; exit 2; }
done
generator=${1:-}
cargo build --release --locked --quiet
program=$(pwd)/target/release/skillflux
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

generate() {
  if [ -n "$generator" ]; then $generator "$1" "$2"; return; fi
  python3 - "$1" "$2" <<'PY'
import os, random, sys
out, count = sys.argv[1], int(sys.argv[2])
rnd = random.Random(7)
words = "audit report plan invoice database chart review draft sales query deploy table convert schema ticket memo the a when user asks file data step".split()
text = lambda n: " ".join(rnd.choice(words) for _ in range(n))
for i in range(count):
    name = f"{rnd.choice(words[:16])}-{rnd.choice(words[:16])}-{i}"
    folder = os.path.join(out, "skills", name)
    os.makedirs(folder)
    body = "\n\n".join(f"## Step {k}\n\n{text(60)}." for k in range(1, 6))
    with open(os.path.join(folder, "SKILL.md"), "w") as file:
        file.write(f'---\nname: {name}\ndescription: {text(24)}. Use when the user wants to {name}.\nlicense: MIT\nmetadata:\n  version: "1.0.{i}"\n---\n\n# {name}\n\n{body}\n')
    if i % 3 == 0:
        os.makedirs(folder + "/references")
        open(folder + "/references/guide.md", "w").write(text(150))
    if i % 4 == 0:
        os.makedirs(folder + "/scripts")
        open(folder + "/scripts/run.sh", "w").write("#!/bin/sh\n")
PY
}

# home NAME ROOT... makes an empty home whose agents' folders are the given corpora.
home() {
  local name=$1 agent; shift
  mkdir -p "$work/$name"
  for agent in .claude .agents; do
    [ $# -gt 0 ] || break
    mkdir -p "$work/$name/$agent"; cp -r "$1/skills" "$work/$name/$agent/skills"; shift
  done
}
generate "$work/corpus200" 200
generate "$work/corpus2000" 2000
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

peaks=()
while read -r command; do
  peaks+=("$(eval "python3 - $command" <<'PY'
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
PY
)")
done < "$work/commands"
printf '%s\n' "${peaks[@]}" > "$work/peaks"

python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
results = json.load(open(work + "/times.json"))["results"]
names = open(work + "/names").read().splitlines()
peaks = [float(line) for line in open(work + "/peaks")]
true, env = results[0]["median"], results[1]["median"]
print(f"floor: /bin/true {true*1000:.2f} ms, through env {env*1000:.2f} ms (subtracted below); medians")
print(f"{'case':40} {'ms':>8} {'x /bin/true':>12} {'peak MiB':>9}")
for name, result, peak in zip(names, results[2:], peaks):
    own = result["median"] - env + true
    print(f"{name:40} {own*1000:8.2f} {own/true:12.1f} {peak:9.1f}")
PY
