#!/usr/bin/env bash
# Builds static Linux binaries into dist/, with their SHA-256 checksums.
# usage: tools/dist.sh [TARGET...]     (default: x86_64 and aarch64)
#
# Each binary holds everything: C library, TLS, the demo target. The explicit --target keeps
# build scripts and procedural macros dynamic, which they must be. aarch64 needs a cross
# compiler (Debian: gcc-aarch64-linux-gnu) and `rustup target add aarch64-unknown-linux-gnu`.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu)

mkdir -p dist
for target in "${targets[@]}"; do
  machine=${target%%-*}
  rm -f "dist/loadline-linux-$machine"
  if [ "$machine" != "$(uname -m)" ]; then
    compiler=$machine-linux-gnu-gcc
    command -v "$compiler" >/dev/null || { echo "$compiler is missing (Debian: gcc-$machine-linux-gnu)"; exit 1; }
    name=${target//-/_}
    export "CC_$name=$compiler" "AR_$name=$machine-linux-gnu-ar" "CARGO_TARGET_${name^^}_LINKER=$compiler"
  fi
  # Random numbers come from the system call: a static binary does not find the C library's
  # function at run time and would open /dev/urandom, which an empty root does not have.
  RUSTFLAGS='-C target-feature=+crt-static --cfg getrandom_backend="linux_getrandom"' \
    "$cargo" build --release --locked --bin loadline --target "$target"
  cp "target/$target/release/loadline" "dist/loadline-linux-$machine"
done
cd dist
sha256sum loadline-linux-* | tee SHA256SUMS
