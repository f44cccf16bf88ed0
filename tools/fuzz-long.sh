#!/usr/bin/env bash
# Looks further than `make test` does: every property test with a seed of its own and more
# cases, then every fuzz target for a while. Needs a nightly toolchain and cargo-fuzz for the
# second. usage: tools/fuzz-long.sh [properties|targets]
#   SEED=N      the seed of the property tests; a fresh one is drawn and printed unless given
#   CASES=N     cases of each property test (2,000)
#   SECONDS_EACH=N  time of each fuzz target (300)
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=${NIGHTLY:-nightly}

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

targets() {
  command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked --quiet
  local target
  for file in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$file" .rs)
    local features=()
    case $target in
    artillery | gate) features=(--features "$target") ;;
    url | set_cookie) features=(--features net) ;;
    access_log) features=(--features sizing) ;;
    esac
    mkdir -p "fuzz/corpus/$target"
    echo "fuzzing $target for ${SECONDS_EACH:-300} s"
    cargo "+$nightly" fuzz run "${features[@]}" "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
      -max_total_time="${SECONDS_EACH:-300}"
  done
}

case "${1:-all}" in
properties) properties ;;
targets) targets ;;
all) properties; targets ;;
*) echo "usage: tools/fuzz-long.sh [properties|targets]"; exit 2 ;;
esac
