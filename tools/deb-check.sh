#!/usr/bin/env bash
# Installs the package of this machine in a bare Debian root (nothing but what Debian itself needs) and does there what a
# person does first: demo, run, report, serve. Needs root, debootstrap, curl, and tools/deb.sh before.
# usage: tools/deb-check.sh [ROOT]     (a root that is there is taken as it is; MIRROR and SUITE choose where a new one is from)
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/try-installed.sh
. tools/try-installed.sh
root=${1:-target/bare-root}
package=$(ls dist/loadline_*_"$(dpkg --print-architecture)".deb)
if [ ! -e "$root/var/lib/dpkg/status" ]; then
  mirror=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null | sed -nE 's/^(URIs:|deb) *(\[[^]]*\] *)?(https?:[^ ]+).*/\3/p' | sed -n 1p || true)}
  suite=${SUITE:-$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME" || echo bookworm)}
  mkdir -p "$root"
  debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 || { tail -n 5 "$root.log"; exit 1; }
fi
cp "$package" "$root/loadline.deb"
# Programs in the root find themselves by /proc.
unshare --mount --pid --fork --kill-child bash -euc '
  mount -t proc proc "$1/proc"
  chroot "$1" dpkg -i /loadline.deb
  chroot "$1" dpkg -L loadline | grep -cE "man1/|completions|_loadline|doc/loadline" | sed "s/$/ pages, completions and licences/"
  chroot "$1" id nobody >/dev/null
  mkdir -p "$1/home/team" && chown 65534:65534 "$1/home/team"
  . tools/try-installed.sh
  root=$1
  loadline() { chroot --userspec=65534:65534 "$root" env -i HOME=/home/team LANG=C sh -c "cd && exec /usr/bin/loadline \"\$@\"" sh "$@"; }
  try_installed 18080 18081 "$root/home/team"
' bash "$root"
chroot "$root" dpkg --purge loadline
rm "$root/loadline.deb"
echo "installed, used as nobody and removed: $(basename "$package")"
