#!/usr/bin/env bash
# Measures searching and mounting as whole processes against loopback servers of the real API shape, and
# installing the same skill from the same git server with the tools that people use today. Prints a Markdown
# table: median time, its ratio to skillflux over git in the same run, and peak memory. Compare the ratios:
# the times hold for one machine only, and no distance to a host is in them.
#
#   benches/remote.sh
#
# The servers are those of the tests (`tests/it/servers`): real git repositories with true object ids behind
# GitHub's REST and GraphQL shapes and `git http-backend`. The peers, skills and openskills (npm), clone the
# repository; neither pins a commit nor verifies a byte. They are installed as benches/peers.sh does it.
#
# Needs cargo, git, hyperfine and GNU time as /usr/bin/time; for the peers npm.
#
#   PEERS_DIR   the cache folder of the peers (default: skillflux-peers in the user's cache folder)
#   RUNS        runs a case (default 20)
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in cargo git hyperfine; do
  command -v "$tool" >/dev/null || { echo "benches/remote.sh needs $tool" >&2; exit 2; }
done
/usr/bin/time -f %M true >/dev/null 2>&1 || { echo "benches/remote.sh needs GNU time as /usr/bin/time" >&2; exit 2; }
runs=${RUNS:-20}
peers=${PEERS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/skillflux-peers}
mkdir -p "$peers"; peers=$(cd "$peers" && pwd)
work=$(mktemp -d)
cargo build --release --locked --quiet
# The servers share the cores with what is measured, so they are optimised too.
export CARGO_PROFILE_TEST_OPT_LEVEL=2
serve=(cargo test --locked --quiet --target-dir target/servers --test it)
"${serve[@]}" --no-run
flux=$(pwd)/target/release/skillflux
. benches/npm_peers.sh

# The servers live until the pipe that feeds them is closed.
mkfifo "$work/hold"
"${serve[@]}" serve_for_benches -- --ignored --nocapture < "$work/hold" > "$work/served" 2>&1 &
exec 3> "$work/hold"
trap 'exec 3>&-; rm -rf "$work"' EXIT
for _ in $(seq 100); do grep -q '^ready' "$work/served" && break; sleep 0.2; done
grep -q '^ready' "$work/served" || { cat "$work/served" >&2; exit 1; }
# shellcheck disable=SC2046
export $(sed -n 's/^export //p' "$work/served")
export DISABLE_TELEMETRY=1 DO_NOT_TRACK=1 SKILLFLUX_SESSION=bench SKILLFLUX_HOME=$work/flux HOME=$work/home
mkdir -p "$work/home" "$work/project"; cd "$work/project"

# What a run made is moved away, not deleted: some file systems search long for a new inode after a deletion.
cat > "$work/fresh" <<'END'
aside=$(mktemp -d "$1/aside.XXXXXX")
for made in flux home project/.claude project/.agents project/skills-lock.json; do
  [ ! -e "$1/$made" ] || mv "$1/$made" "$aside"
done
mkdir -p "$1/home"
END
fresh="sh $work/fresh $work"
names=() commands=() prepares=()
add() { names+=("$1"); prepares+=("$2"); commands+=("$3"); }
small=quarry-works/bench//skills/twelve
add "mount 12 files over git" "$fresh" "$flux mount --yes --transport git $small"
add "mount 12 files over the API" "$fresh" "$flux mount --yes --transport api $small"
add "mount a pin that is stored" true "$flux mount --yes $small@$BENCH_COMMIT"
add "mount 10 MiB over the API" "$fresh" "$flux mount --yes --transport api quarry-works/bench//skills/large"
add "search, both sources" "$fresh" "$flux search twelve small files"
add "search, stored result" true "$flux search twelve small files"
add "load a stored skill" true "$flux load twelve"
[ -n "${missing[skills]:-}" ] ||
  add "skills 1.7.4: add the 12 files" "$fresh" "${skills[*]} add $GITHUB_SERVER_URL/quarry-works/bench.git --skill twelve --agent claude-code -y"
[ -n "${missing[openskills]:-}" ] ||
  add "openskills 1.5.0: install (both skills)" "$fresh" "${openskills[*]} install $GITHUB_SERVER_URL/quarry-works/bench.git -y"
add "/bin/true" true /bin/true

printf '| | median | ratio | peak memory |\n| --- | ---: | ---: | ---: |\n'
base=
for index in "${!names[@]}"; do
  # Warming up leaves stored what the cases of stored skills need.
  if [ "${prepares[$index]}" = true ]; then sh -c "$flux mount --yes $small@$BENCH_COMMIT > /dev/null"; fi
  hyperfine --style none --shell none --warmup 1 --runs "$runs" --prepare "${prepares[$index]}" --export-json "$work/one.json" \
    "${commands[$index]}" > /dev/null 2>&1
  median=$(python3 -c "import json,sys; print(json.load(open('$work/one.json'))['results'][0]['median'] * 1000)")
  base=${base:-$median}
  sh -c "${prepares[$index]}"
  memory=$(/usr/bin/time -f %M sh -c "exec ${commands[$index]} < /dev/null > /dev/null 2> /dev/null" 2>&1 | tail -n 1)
  python3 -c "
m, b, k = float('$median'), float('$base'), int('$memory')
print('| ${names[$index]} | %s ms | %.2fx | %.0f MiB |' % ('%.1f' % m if m < 100 else '%.0f' % m, m / b, k / 1024))"
done
for peer in "${!missing[@]}"; do printf '\n%s: skipped, %s\n' "$peer" "${missing[$peer]}"; done
exec 3>&-
wait
printf '\nthe servers saw: %s\n' "$(grep ' requests in ' "$work/served" || true)"
