#!/usr/bin/env bash
# What tests need beside toolchains: programs that are installed by apt when they are missing.
# usage: tools/packages.sh [PROGRAM...]   (without any: what `make test` needs)
set -euo pipefail
missing=()
[ $# -gt 0 ] || set -- redis-server nginx postgres mariadbd prometheus openssl
for program in "$@"; do
  [ "$program" != postgres ] || for found in /usr/lib/postgresql/*/bin/postgres; do [ ! -x "$found" ] || continue 2; done
  package="${program/#postgres/postgresql}"
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || missing+=("${package/#mariadbd/mariadb-server}")
done
[ ${#missing[@]} -gt 0 ] || exit 0
[ "$(id -u)" = 0 ] || { echo "these packages are missing: apt-get install ${missing[*]}"; exit 1; }
apt-get update --quiet
DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
