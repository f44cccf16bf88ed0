#!/usr/bin/env bash
# What tests need beside toolchains: servers that are installed by apt when they are missing.
set -euo pipefail
missing=()
for program in redis-server nginx; do
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || missing+=("$program")
done
[ ${#missing[@]} -gt 0 ] || exit 0
[ "$(id -u)" = 0 ] || { echo "these packages are missing: apt-get install ${missing[*]}"; exit 1; }
apt-get update --quiet
DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
