# Installs the npm tools that skillflux is measured against, once, into the folder $peers, and names the
# programs in the arrays `skills` and `openskills`. Sourced by peers.sh and remote.sh, which set $peers and
# $work; a tool that cannot be installed gets its reason in `missing`.

declare -A missing=() # peer -> why it is skipped

# once FOLDER COMMAND... installs into a folder of the cache unless it was done before; the reason why it
# failed is left in $reason.
once() {
  local folder=$1; shift
  [ -e "$folder/.installed" ] && return
  rm -rf "$folder"; mkdir -p "$folder"
  echo "installing $(basename "$folder")" >&2
  if "$@" > "$work/install.log" 2>&1 < /dev/null; then touch "$folder/.installed"; return; fi
  reason="not installable: $(grep -iE 'error|not found' "$work/install.log" | grep -v 'complete log' | sed -E 's#[a-z]+://[^ ]*##g' |
    head -n 2 | paste -sd ' ' | cut -c1-200)"
  return 1
}
npm_install() { npm install --prefix "$1" --no-save --no-fund --no-audit --loglevel error "$2"; }
python_install() { # FOLDER PYTHON PACKAGE...
  local folder=$1 python=$2; shift 2
  "$python" -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
}

node_is_new() {
  [ -x "$1" ] && "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 20) ? 0 : 1)' 2>/dev/null
}
node=$(command -v node || true)
reason="needs npm"
if ! node_is_new "$node"; then
  node=
  if command -v npm >/dev/null && once "$peers/node-22" npm_install "$peers/node-22" node@22; then
    reason="the npm package node@22 has no program for this machine"
    while read -r file; do
      if node_is_new "$file"; then node=$file; break; fi
    done < <(find "$peers/node-22" -path '*/bin/node' -not -path '*/.bin/*')
  fi
fi
[ -n "$node" ] || { missing[skills]="no Node 22.20: $reason"; missing[openskills]=${missing[skills]}; }
for package in skills@1.7.4 openskills@1.5.0; do
  peer=${package%@*}
  [ -z "${missing[$peer]:-}" ] || continue
  if ! command -v npm >/dev/null && [ ! -e "$peers/$package/.installed" ]; then missing[$peer]="needs npm"
  elif ! once "$peers/$package" npm_install "$peers/$package" "$package"; then missing[$peer]=$reason
  fi
done
skills=("$node" "$peers/skills@1.7.4/node_modules/skills/bin/cli.mjs")
openskills=("$node" "$peers/openskills@1.5.0/node_modules/openskills/dist/cli.js")
