#!/usr/bin/env bash
# Writes a Debian package of each binary in dist/ (tools/dist.sh) beside it: program, manual pages, completions, licences.
# Pages and completions are made by the binary of this machine and are the same for all.
set -euo pipefail
cd "$(dirname "$0")/.."
own=dist/loadline-linux-$(uname -m)
[ -x "$own" ] || { echo "$own is missing: tools/dist.sh $(uname -m)-unknown-linux-gnu"; exit 1; }
command -v cargo-deb >/dev/null || cargo install cargo-deb --debug --locked --quiet --version 3.8.0
rm -rf target/deb
mkdir -p target/deb/man
"$own" man --dir target/deb/man
for shell in bash zsh fish; do "$own" completion "$shell" >"target/deb/$shell"; done
for binary in dist/loadline-linux-*; do
  cp "$binary" target/deb/loadline
  cargo deb --package loadline-cli --no-build --no-strip --quiet --target "${binary##*-}-unknown-linux-gnu" --output dist
done
ls -l dist/*.deb
