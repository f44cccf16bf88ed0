#!/usr/bin/env bash
# AddressSanitizer over js, wire and net (QuickJS's C code included), Miri over metrics and
# wire. Needs a nightly toolchain; for Miri its components `miri` and `rust-src`.
# usage: tools/sanitize.sh [address|miri]
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=${NIGHTLY:-nightly}
host=$(rustc -vV | sed -n 's/^host: //p')

address() {
  # Leaks are looked for too. Coroutines tell the sanitizer of their stacks (feature
  # `sanitizer`); without it, it takes a switch for an overflow.
  # Instrumented code needs more stack than the coroutines' tests give: see js/README.md.
  local flags="-fsanitize=address -fno-omit-frame-pointer -g"
  # Two tables of QuickJS that are alike share an address, which is taken for one name of two
  # things (odr); everything is linked from one tree, so that is not looked for.
  RUSTFLAGS="-Zsanitizer=address" CFLAGS_x86_64_unknown_linux_gnu="$flags" \
    ASAN_OPTIONS="detect_stack_use_after_return=0:detect_leaks=1:detect_odr_violation=0:strict_string_checks=1" \
    cargo "+$nightly" test --profile suite --target "$host" --target-dir target/sanitize \
    -p loadline-js -p loadline-wire -p loadline-net --features loadline-js/sanitizer \
    --lib --tests "$@" # documentation's examples are built without the sanitizer
}

miri() {
  export MIRIFLAGS="-Zmiri-strict-provenance -Zmiri-disable-isolation" PROPTEST_CASES=4
  # The hand-over's model checker makes stacks of its own, which Miri does not know.
  cargo "+$nightly" miri test --target-dir target/miri -p loadline-metrics --lib "$@"
  cargo "+$nightly" miri test --target-dir target/miri -p loadline-wire "$@"
}

case "${1:-all}" in
address) shift; address "$@" ;;
miri) shift; miri "$@" ;;
all) address; miri ;;
*) echo "usage: tools/sanitize.sh [address|miri]"; exit 2 ;;
esac
