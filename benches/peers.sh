#!/usr/bin/env bash
# Measures skillflux against the tools that people use today for the same jobs, as whole processes on
# the same generated skill folders, and prints a Markdown table: median time, its ratio to skillflux in
# the same case, and peak memory. Compare the ratios: the times hold for one machine only.
#
#   benches/peers.sh [GENERATOR]
#
# GENERATOR is a command that, run as `GENERATOR OUT N`, writes N skills to OUT/skills; it is
# benches/generate.py when none is given.
#
# The peers: skills and openskills (npm), skill-search (PyPI package agent-skill-search) and
# agentskills-retrieval (PyPI, a library: a short Python program registers the folder and prints the
# catalog it selects). They are installed once, in these versions, into a cache folder outside the
# repository. A peer that cannot be installed is named in the table as skipped, with the reason below it.
#
# Needs cargo, hyperfine, python3 and GNU time as /usr/bin/time (its `-f %M` tells the peak memory of
# the program alone); for the npm peers npm, and a Node of at least 22.20 (if the system's is older, one
# comes from the npm package `node`); for skill-search Python 3.10, for agentskills-retrieval 3.12.
#
#   PEERS_DIR      the cache folder (default: skillflux-peers in the user's cache folder)
#   PEERS_PYTHON   the Python to install the PyPI peers with (default: the newest found on the path)
#   RUNS           runs a case (default 11, after 2 to warm up; 3 where one run takes many seconds)
#
# Every program is run directly (the JavaScript ones as `node FILE`, without npx), with telemetry off,
# no terminal, and a home that holds nothing but the skills. Each peer gets them in a folder it looks
# in, and before a case is timed the output of the peer is searched for the skills. The network is used
# to install only.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "benches/peers.sh: $*" >&2; exit 1; }
for tool in cargo hyperfine python3; do
  command -v "$tool" >/dev/null || fail "needs $tool"
done
/usr/bin/time -f %M true >/dev/null 2>&1 || fail "needs GNU time as /usr/bin/time"
read -ra generator <<< "${1:-python3 benches/generate.py}"
runs=${RUNS:-11}
peers=${PEERS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/skillflux-peers}
mkdir -p "$peers"
peers=$(cd "$peers" && pwd)
export DISABLE_TELEMETRY=1 DO_NOT_TRACK=1
cargo build --release --locked --quiet
flux=$(pwd)/target/release/skillflux
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp" "$work/project" "$work/none"

# --- The peers ---------------------------------------------------------------------------------------

. benches/npm_peers.sh

python_since() { # MINOR: the first Python on the path that is at least 3.MINOR
  local python pythons=(python3.14 python3.13 python3.12 python3)
  if [ -n "${PEERS_PYTHON:-}" ]; then pythons=("$PEERS_PYTHON"); fi
  for python in "${pythons[@]}"; do
    if "$python" -c "import sys, venv; sys.exit(sys.version_info < (3, $1))" 2>/dev/null; then echo "$python"; return; fi
  done
}
python_peer() { # PEER MINOR PACKAGE...
  local peer=$1 minor=$2 python; shift 2
  python=$(python_since "$minor")
  if [ -e "$peers/$1/.installed" ]; then return; fi
  if [ -z "$python" ]; then missing[$peer]="needs Python 3.$minor (name one with PEERS_PYTHON)"
  elif ! once "$peers/$1" python_install "$peers/$1" "$python" "$@"; then missing[$peer]=$reason
  fi
}
python_peer skill-search 10 agent-skill-search==0.4.0
python_peer agentskills-retrieval 12 agentskills-retrieval==0.7.0 agentskills-fs==0.7.0
skill_search=("$peers/agent-skill-search==0.4.0/bin/skill-search")
cat > "$work/select_skills.py" <<'PY'
import asyncio, sys
from pathlib import Path
from agentskills_core import SkillRegistry
from agentskills_fs import LocalFileSystemSkillProvider
from agentskills_retrieval import LexicalSelector, build_selected_catalog

async def main(folder, task):
    registry = SkillRegistry()
    await registry.register_all(LocalFileSystemSkillProvider(Path(folder)))
    print(await build_selected_catalog(registry, LexicalSelector(registry), task))

asyncio.run(main(sys.argv[1], sys.argv[2]))
PY
retrieval=("$peers/agentskills-retrieval==0.7.0/bin/python" "$work/select_skills.py")

# --- The skills --------------------------------------------------------------------------------------

"${generator[@]}" "$work/corpus200" 200
"${generator[@]}" "$work/corpus2000" 2000
# A second corpus of 200 skills with other names.
cp -r "$work/corpus200" "$work/other200"
for folder in "$work"/other200/skills/*; do
  name=$(basename "$folder")
  sed -i "s/^name: .*/name: x-$name/" "$folder/SKILL.md"
  mv "$folder" "$(dirname "$folder")/x-$name"
done
# home NAME [CORPUS FOLDER]... makes a home with nothing but these corpora in these folders.
home() {
  local name=$1; shift
  while [ $# -gt 0 ]; do
    mkdir -p "$work/$name/$2"; cp -r "$work/$1/skills" "$work/$name/$2/skills"; shift 2
  done
}
home shared corpus200 .agents
home both corpus200 .agents other200 .claude
home many corpus2000 .agents
# openskills reads .claude and .agent.
home claude corpus200 .claude
home claude-agent corpus200 .agent other200 .claude

# --- Measuring ---------------------------------------------------------------------------------------

cd "$work/project"
alone() { # HOME COMMAND...: in an environment of its own
  local home=$1; shift
  env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$work/$home" TMPDIR="$work/tmp" DISABLE_TELEMETRY=1 DO_NOT_TRACK=1 "$@"
}

# seen CORPUS... - says how many skills of the corpora the last output names.
cat > "$work/seen.py" <<'PY'
import os, re, sys
output = re.sub(r"\x1b\[[0-9;]*m", "", open(sys.argv[1], encoding="utf-8").read())
words = set(re.findall(r"[\w-]+", output))
print(sum(name in words for corpus in sys.argv[2:] for name in os.listdir(corpus + "/skills")))
PY
seen() { python3 "$work/seen.py" "$work/output" "${@/#/$work/}"; }
# (of skillflux the JSON is searched: the table for people shortens long names)
all_seen() { # PEER COUNT CORPUS...
  local peer=$1 count=$2 found; shift 2
  found=$(seen "$@")
  [ "$found" -eq "$count" ] || fail "$peer names $found of the $count skills in its output"
}
says() { # PEER PATTERN
  grep -qE "$2" "$work/output" || fail "$1 was to print '$2', it printed: $(head -c 300 "$work/output")"
}

# check HOME COMMAND... runs it once, for its output and peak memory.
check() {
  alone "$1" /usr/bin/time -o "$work/peak" -f %M "${@:2}" < /dev/null > "$work/output" 2> "$work/errors" ||
    fail "'${*:2}' failed: $(tail -n 3 "$work/errors")"
}
# measure CASE NAME RUNS HOME COMMAND... times what check just ran.
measure() {
  local case=$1 name=$2 count=$3 home=$4; shift 4
  echo "measuring $case: $name" >&2
  alone "$home" "$(command -v hyperfine)" --shell=none --warmup 2 --runs "$count" --style none \
    --export-json "$work/times.json" "$(printf '%q ' "$@")" > "$work/errors" 2>&1 ||
    fail "'$*' failed: $(tail -n 3 "$work/errors")"
  printf '%s\t%s\t%s\t%s\n' "$case" "$name" \
    "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["results"][0]["median"] * 1000)' "$work/times.json")" \
    "$(tail -n 1 "$work/peak")" >> "$work/rows"
}
# is_there PEER CASE NAME: whether to run it; else a row that says it is skipped.
is_there() {
  [ -n "${missing[$1]:-}" ] || return 0
  printf '%s\t%s\tskipped\t\n' "$2" "$3" >> "$work/rows"
  return 1
}

case="version"
check none "$flux" --version; says skillflux '^skillflux [0-9]'
measure "$case" "skillflux --version" "$runs" none "$flux" --version
if is_there skills "$case" "skills --version"; then
  check none "${skills[@]}" --version; says skills '1\.7\.4'
  measure "$case" "skills --version" "$runs" none "${skills[@]}" --version
fi
if is_there openskills "$case" "openskills --version"; then
  check none "${openskills[@]}" --version; says openskills '1\.5\.0'
  measure "$case" "openskills --version" "$runs" none "${openskills[@]}" --version
fi
if is_there skill-search "$case" "skill-search --version"; then
  check none "${skill_search[@]}" --version; says skill-search '0\.4\.0'
  measure "$case" "skill-search --version" "$runs" none "${skill_search[@]}" --version
fi

case="list 200"
check shared "$flux" list --json; all_seen skillflux 200 corpus200
check shared "$flux" list
measure "$case" "skillflux list" "$runs" shared "$flux" list
if is_there skills "$case" "skills list -g"; then
  check shared "${skills[@]}" list -g; all_seen skills 200 corpus200
  measure "$case" "skills list -g" "$runs" shared "${skills[@]}" list -g
fi
if is_there openskills "$case" "openskills list"; then
  check claude "${openskills[@]}" list; all_seen openskills 200 corpus200
  measure "$case" "openskills list" "$runs" claude "${openskills[@]}" list
fi
all=(--limit 1000000 --dirs)
if is_there skill-search "$case" "skill-search list"; then
  check shared "${skill_search[@]}" list "${all[@]}" "$work/shared/.agents/skills"; all_seen skill-search 200 corpus200
  measure "$case" "skill-search list" "$runs" shared "${skill_search[@]}" list "${all[@]}" "$work/shared/.agents/skills"
fi

case="list 200 + 200 in a second agent's folder"
check both "$flux" list --json; all_seen skillflux 400 corpus200 other200
check both "$flux" list
measure "$case" "skillflux list" "$runs" both "$flux" list
if is_there skills "$case" "skills list -g"; then
  check both "${skills[@]}" list -g; all_seen skills 400 corpus200 other200
  measure "$case" "skills list -g" "$((runs < 3 ? runs : 3))" both "${skills[@]}" list -g
fi
if is_there openskills "$case" "openskills list"; then
  check claude-agent "${openskills[@]}" list; all_seen openskills 400 corpus200 other200
  measure "$case" "openskills list" "$runs" claude-agent "${openskills[@]}" list
fi
if is_there skill-search "$case" "skill-search list"; then
  folders=$work/both/.agents/skills:$work/both/.claude/skills
  check both "${skill_search[@]}" list "${all[@]}" "$folders"; all_seen skill-search 400 corpus200 other200
  measure "$case" "skill-search list" "$runs" both "${skill_search[@]}" list "${all[@]}" "$folders"
fi

task="review the sales report and draft a plan for the invoice database"
# skill-search wants every word of a plain query: the words of the task as alternatives, so that it finds some.
words="review|sales|report|draft|plan|invoice|database"
for count in 200 2000; do
  if [ "$count" -eq 200 ]; then home=shared case="choose for a task, of 200"; else home=many case="choose for a task, of 2,000"; fi
  folder=$work/$home/.agents/skills
  check "$home" "$flux" list --json; all_seen skillflux "$count" "corpus$count"
  check "$home" "$flux" catalog "$task"; says skillflux '<skill>'
  measure "$case" "skillflux catalog" "$runs" "$home" "$flux" catalog "$task"
  if is_there skill-search "$case" "skill-search search"; then
    check "$home" "${skill_search[@]}" list "${all[@]}" "$folder"; all_seen skill-search "$count" "corpus$count"
    check "$home" "${skill_search[@]}" search --dirs "$folder" "$words"; says skill-search 'Found [1-9]'
    measure "$case" "skill-search search" "$runs" "$home" "${skill_search[@]}" search --dirs "$folder" "$words"
  fi
  if is_there agentskills-retrieval "$case" "agentskills-retrieval select"; then
    check "$home" "${retrieval[@]}" "$folder" "$task"; says agentskills-retrieval " total=\"$count\""
    measure "$case" "agentskills-retrieval select" "$runs" "$home" "${retrieval[@]}" "$folder" "$task"
  fi
done

# --- The table ---------------------------------------------------------------------------------------

python3 - "$work/rows" <<'PY'
import sys
rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
print("| case | program | ms | x skillflux | peak MiB |\n| --- | --- | ---: | ---: | ---: |")
own = {}
for case, name, ms, peak in rows:
    if ms == "skipped":
        print(f"| {case} | {name} | skipped | | |")
        continue
    ms = float(ms)
    ratio = ms / own.setdefault(case, ms)  # the first row of a case is skillflux's
    figure = f"{ms:.1f}" if ms < 100 else f"{ms:,.0f}"
    times = f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"
    print(f"| {case} | {name} | {figure} | {times} | {int(peak) / 1024:.1f} |")
PY
echo
for peer in "${!missing[@]}"; do echo "Skipped: $peer: ${missing[$peer]}"; done
with="$("$flux" --version)"
for peer in skills@1.7.4 openskills@1.5.0 skill-search@0.4.0 agentskills-retrieval@0.7.0; do
  [ -n "${missing[${peer%@*}]:-}" ] || with+=", ${peer/@/ }"
done
if [ -n "$node" ]; then with+=", Node $("$node" --version)"; fi
if [ -x "${retrieval[0]}" ]; then with+=", $("${retrieval[0]}" --version)"; fi
echo "Medians of $runs runs (at most 3 for \`skills list -g\` of 200 + 200), $(nproc) cores, $(uname -s) $(uname -m); $with."
