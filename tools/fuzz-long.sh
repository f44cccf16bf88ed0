#!/usr/bin/env bash
# Looks further than `make test` does: every property test with a seed of its own and more
# cases, then every fuzz target for a while. Needs a nightly toolchain and cargo-fuzz for the
# second. usage: tools/fuzz-long.sh [properties|targets|keep|short]
#   SEED=N         the seed of the property tests; a fresh one is drawn and printed unless given
#   CASES=N        cases of each property test (2,000)
#   TARGETS="A B"  only these fuzz targets
#   SECONDS_MAX=N  time of all fuzz targets together (7,200)
#   SLICE_SECONDS=N  time of one turn (60)
#   BUILD=no       fuzz what was built before
#   PAUSE_FILE=F   nothing is fuzzed while this file exists
#   SANITIZER=S    of the fuzz targets (none: all of them are safe Rust; `make sanitize` looks at the rest)
# `targets` goes on where it ended: fuzz/account.tsv says how long each target was fuzzed at which commit. A new
# target is fuzzed for fifteen minutes, one that had them for three more at each commit that changes code.
# `short` fuzzes each target for ten seconds, whatever was fuzzed before: for a change under review.
# `keep`, which `targets` ends with, minimises what was found and keeps what is small and new in fuzz/seeds.
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=${NIGHTLY:-nightly}
account=fuzz/account.tsv
# Of a target that is new, ...
new_seconds=900
# ... and of one that was fuzzed so long before.
known_seconds=180
slice_seconds=${SLICE_SECONDS:-60}
short_seconds=10
# What seeds may take: of one target, and one file; and how many are added at a time.
seed_bytes_max=5000
seed_file_bytes_max=400
seeds_added_max=20
triple=$(rustc -vV | sed -n 's/^host: //p')

properties() {
  local seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
  echo "property tests with seed $seed (again: SEED=$seed make fuzz-long)"
  # What is found is written to a file beside the test, to be kept as an ordinary case.
  local packages
  packages=$(grep -l '^proptest' crates/*/*/Cargo.toml | xargs sed -n 's/^name = "\(.*\)"/-p \1/p')
  # shellcheck disable=SC2086 # one word each
  PROPTEST_RNG_SEED=$seed PROPTEST_CASES=${CASES:-2000} \
    cargo test --profile suite --lib --tests --no-fail-fast $packages
}

names() {
  if [ -n "${TARGETS:-}" ]; then
    tr ' ' '\n' <<<"$TARGETS"
  else
    basename -a -s .rs fuzz/fuzz_targets/*.rs
  fi
}

# The feature that a target needs, if any.
feature() {
  awk -v name="$1" -F'"' '$1 == "name = " { is_it = $2 == name } is_it && /^required-features/ { print $2 }' fuzz/Cargo.toml
}

build() {
  command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked --quiet
  [ -f fuzz/Cargo.lock ] || cp Cargo.lock fuzz/Cargo.lock
  local features target
  features=$(for target in $(names); do feature "$target"; done | sort -u | tr '\n' ' ')
  if [ -n "${TARGETS:-}" ]; then
    for target in $TARGETS; do
      cargo "+$nightly" fuzz build --sanitizer "${SANITIZER:-none}" --features "$features" "$target"
    done
  else
    cargo "+$nightly" fuzz build --sanitizer "${SANITIZER:-none}" --features "$features"
  fi
}

program() {
  echo "fuzz/target/$triple/release/$1"
}

# The last commit that changed what is fuzzed, or how.
commit() {
  git log -1 --format=%h -- crates fuzz/fuzz_targets fuzz/src fuzz/Cargo.toml
}

# Seconds that a target is still to be fuzzed at a commit.
seconds_left() {
  awk -F'\t' -v target="$1" -v commit="$2" -v new="$new_seconds" -v known="$known_seconds" '
    $1 == target { all += $3; if ($2 == commit) here += $3 }
    END { a = new - all; b = known - here; left = a > b ? a : b; print (left > 0 ? left : 0) }' "$account"
}

# Adds seconds, executions and findings to a target's line. Two runs of other targets may share the account.
note() {
  exec 9>fuzz/target/account.lock
  flock 9
  awk -F'\t' -v OFS='\t' -v target="$1" -v commit="$2" -v seconds="$3" -v runs="$4" -v found="$5" '
    $1 == target && $2 == commit { $3 += seconds; $4 += runs; $5 += found; is_there = 1 }
    { print }
    END { if (!is_there) print target, commit, seconds, runs, found }' "$account" >"$account.new"
  mv "$account.new" "$account"
  exec 9>&-
}

wait_for_pause() {
  while [ -n "${PAUSE_FILE:-}" ] && [ -e "$PAUSE_FILE" ]; do sleep 2; done
}

# Fuzzes a target for some seconds at most; false if it found something.
slice() {
  local target=$1 seconds=$2 log=fuzz/target/$1.log began code=0 runs pid
  mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
  wait_for_pause
  began=$SECONDS
  "$(program "$target")" "fuzz/corpus/$target" "fuzz/seeds/$target" -max_total_time="$seconds" -rss_limit_mb=2048 \
    -timeout=10 -print_final_stats=1 -artifact_prefix="fuzz/artifacts/$target/" >"$log" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    # What was found so far is on disk; a process that is only stopped would take the time for a hanging input.
    if [ -n "${PAUSE_FILE:-}" ] && [ -e "$PAUSE_FILE" ]; then kill -INT "$pid" 2>/dev/null || true; fi
    sleep 1
  done
  wait "$pid" || code=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  [ -n "$runs" ] || runs=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -1)
  # 72: interrupted.
  local found=0
  [ "$code" = 0 ] || [ "$code" = 72 ] || found=1
  note "$target" "$commit" $((SECONDS - began)) "${runs:-0}" "$found"
  [ "$found" = 0 ]
}

targets() {
  [ "${BUILD:-yes}" = no ] || build
  [ -f "$account" ] || printf 'target\tcommit\tseconds\texecutions\tfindings\n' >"$account"
  local commit end target left seconds aside=" " is_done=no
  commit=$(commit)
  end=$((SECONDS + ${SECONDS_MAX:-7200}))
  # In turns, so that each had some of the time whenever it is ended.
  while [ "$is_done" = no ] && [ "$SECONDS" -lt "$end" ]; do
    is_done=yes
    for target in $(names); do
      [ "$SECONDS" -lt "$end" ] || break
      left=$(seconds_left "$target" "$commit")
      [[ $left -gt 0 && $aside != *" $target "* ]] || continue
      is_done=no
      seconds=$((left < slice_seconds ? left : slice_seconds))
      if ! slice "$target" "$seconds"; then
        aside+="$target "
        echo "$target: found $(find "fuzz/artifacts/$target" -type f -newer "$(program "$target")" | tail -1), see fuzz/target/$target.log"
      fi
    done
  done
  keep
  column -t -s $'\t' "$account"
  [ "$aside" = " " ] || { echo "findings:$aside"; exit 1; }
}

# Minimises what was found, and adds to the seeds what is small and reaches more than they do.
keep() {
  local target corpus seeds work file size total added
  for target in $(names); do
    corpus=fuzz/corpus/$target seeds=fuzz/seeds/$target
    [ -x "$(program "$target")" ] && [ -n "$(ls -A "$corpus" 2>/dev/null)" ] || continue
    wait_for_pause
    work=$(mktemp -d)
    mkdir "$work/corpus" "$work/seeds"
    "$(program "$target")" -merge=1 "$work/corpus" "$corpus" >/dev/null 2>&1 || { rm -r "$work"; continue; }
    rm -r "$corpus" && cp -r "$work/corpus" "$corpus"
    cp "$seeds"/* "$work/seeds"
    "$(program "$target")" -merge=1 "$work/seeds" "$corpus" >/dev/null 2>&1 || { rm -r "$work"; continue; }
    total=$(cat "$seeds"/* | wc -c) added=0
    while read -r size file; do
      [ -e "$seeds/${file:0:12}" ] || [ -e "$seeds/$file" ] && continue
      [ "$size" -le "$seed_file_bytes_max" ] && [ $((total + size)) -le "$seed_bytes_max" ] || continue
      [ $((added += 1)) -le "$seeds_added_max" ] || break
      total=$((total + size))
      cp "$work/seeds/$file" "$seeds/${file:0:12}"
    done < <(find "$work/seeds" -type f -printf '%s %f\n' | sort -rn)
    rm -r "$work"
  done
}

short() {
  [ "${BUILD:-yes}" = no ] || build
  [ -f "$account" ] || printf 'target\tcommit\tseconds\texecutions\tfindings\n' >"$account"
  local commit target found=""
  commit=$(commit)
  for target in $(names); do
    slice "$target" "$short_seconds" || found+=" $target"
  done
  [ -z "$found" ] || { echo "findings:$found (fuzz/artifacts, fuzz/target/*.log)"; exit 1; }
}

case "${1:-all}" in
short) short ;;
properties) properties ;;
targets) targets ;;
keep) keep ;;
all) properties; targets ;;
*) echo "usage: tools/fuzz-long.sh [properties|targets|keep|short]"; exit 2 ;;
esac
