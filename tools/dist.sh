#!/usr/bin/env bash
# Builds static Linux binaries into dist/, with the licences of what is in them and SHA-256 checksums.
# usage: tools/dist.sh [TARGET...]     (default: x86_64 and aarch64)
#
# Each binary holds everything: C library, TLS, the demo target. The explicit --target keeps
# build scripts and procedural macros dynamic, which they must be. aarch64 needs a cross
# compiler (Debian: gcc-aarch64-linux-gnu) and either `rustup target add aarch64-unknown-linux-gnu` or
# Debian's own Rust (dpkg --add-architecture arm64; rustc-web cargo-web libstd-rust-web-dev:arm64).
# PROFILE=suite builds quickly, for trying.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${PROFILE:-dist}
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
  cargo=${CARGO:-cargo} own=()
  if [ ! -d "$(rustc --print target-libdir --target "$target")" ]; then
    [ -d "/usr/lib/rustlib/$target" ] || { echo "Rust's library for $target is missing: rustup target add $target, or Debian's (see above)"; exit 1; }
    cargo=/usr/bin/cargo own=(RUSTC=/usr/bin/rustc CARGO_TARGET_DIR=target/debian)
  fi
  # Random numbers come from the system call: a static binary does not find the C library's
  # function at run time and would open /dev/urandom, which an empty root does not have.
  env "${own[@]}" RUSTFLAGS='-C target-feature=+crt-static --cfg getrandom_backend="linux_getrandom"' \
    "$cargo" build --profile "$profile" --locked --bin loadline --target "$target"
  built=target
  [ ${#own[@]} -eq 0 ] || built=target/debian
  cp "$built/$target/$profile/loadline" "dist/loadline-linux-$machine"
done
cp LICENSE-APACHE LICENSE-MIT THIRD-PARTY-LICENSES.txt dist/
# The C library, the compiler's and Rust's are in a static binary, too.
python3 tools/licences.py static dist/STATIC-LICENSES.txt
cd dist
sha256sum loadline-linux-* LICENSE-* ./*-LICENSES.txt | sed 's# \./# #' | tee SHA256SUMS
