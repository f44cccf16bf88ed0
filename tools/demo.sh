#!/usr/bin/env bash
# Starts the built-in target, runs the examples against it, prints how each ended.
# usage: tools/demo.sh PATH_TO_LOADLINE
set -euo pipefail
loadline=$1
cd "$(dirname "$0")/.."
log=$(mktemp)
"$loadline" demo --address 127.0.0.1:0 >"$log" &
target=$!
trap 'kill "$target" 2>/dev/null; wait "$target" 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 100); do
  base=$(grep -oE 'http://[0-9.:]+' "$log" | head -n 1 || true)
  [ -n "$base" ] && break
  sleep 0.1
done
[ -n "$base" ] || { echo "the target did not start"; exit 1; }
echo "target: $base"

run() { # what it shows, arguments of run
  local what=$1
  shift
  echo
  echo "== $what"
  echo "\$ loadline run $*"
  local code=0
  "$loadline" run "$@" || code=$?
  echo "exit code $code"
}

run "a URL, 200 starts a second whatever the answers" "$base/fast" --rate 200/s --duration 5s
run "a small API (thresholds hold)" -e "BASE=$base" -e VUS=2 examples/fast.js
run "a connection pool that is too small for the load (thresholds fail)" -e "BASE=$base" examples/pool.js
run "a chained pair with unique ids" -e "BASE=$base" examples/pair.js
