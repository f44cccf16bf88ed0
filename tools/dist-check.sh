#!/usr/bin/env bash
# Tries the binaries of `make dist`: the x86_64 one in an empty root with 1 CPU and 256 MiB,
# the aarch64 one under emulation. Needs root for the first (chroot, cgroups), qemu-aarch64
# for the second; what cannot be tried is said.
set -euo pipefail
cd "$(dirname "$0")/.."
(cd dist && sha256sum --check SHA256SUMS)
own=dist/loadline-linux-$(uname -m)
work=$(mktemp -d)
groups=()
"$own" demo --address 127.0.0.1:0 >"$work/demo" &
target=$!
finish() {
  kill "$target" 2>/dev/null || true
  wait "$target" 2>/dev/null || true
  for group in "${groups[@]}"; do rmdir "$group"; done
  rm -rf "$work"
}
trap finish EXIT
for _ in $(seq 100); do
  base=$(grep -oE 'http://[0-9.:]+' "$work/demo" | head -n 1 || true)
  [ -n "$base" ] && break
  sleep 0.1
done
[ -n "$base" ] || { echo "the target did not start"; exit 1; }

# A cgroup of each version with 1 CPU and 256 MiB.
limit() {
  local name=loadline-dist-$$ top=/sys/fs/cgroup
  if [ -d $top/cpu ]; then
    groups=($top/cpu/$name $top/memory/$name)
    mkdir "${groups[@]}"
    echo 100000 >$top/cpu/$name/cpu.cfs_quota_us
    echo $((256 << 20)) >$top/memory/$name/memory.limit_in_bytes
  else
    groups=($top/$name)
    mkdir "${groups[@]}"
    echo "100000 100000" >$top/$name/cpu.max
    echo $((256 << 20)) >$top/$name/memory.max
  fi
}

if [ "$(id -u)" = 0 ]; then
  chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)
  mkdir "$work/root"
  cp "$own" "$work/root/loadline"
  limit
  echo "== case B's pair, 50/s for 20 s, in a root with nothing but the binary, 1 CPU, 256 MiB"
  (
    for group in "${groups[@]}"; do echo $BASHPID >"$group/cgroup.procs"; done
    env -i LANG=C "$chroot" "$work/root" /loadline run --quiet -e "BASE=$base" -e RATE=50 -e DURATION=20s - <examples/pair.js
  )
  echo "in the root now: $(cd "$work/root" && find . -mindepth 1 | sort | tr '\n' ' ')"
  peak=/sys/fs/cgroup/memory/loadline-dist-$$/memory.max_usage_in_bytes
  [ ! -f "$peak" ] || echo "memory at most: $(($(cat "$peak") >> 20)) MiB"
else
  echo "not tried without root: the empty root"
fi

if [ -f dist/loadline-linux-aarch64 ] && command -v qemu-aarch64 >/dev/null; then
  echo "== aarch64 under emulation"
  qemu-aarch64 dist/loadline-linux-aarch64 --version
  qemu-aarch64 dist/loadline-linux-aarch64 run --quiet --no-store -e "BASE=$base" -e RATE=5 -e DURATION=5s -e VUS=10 examples/pair.js
else
  echo "not tried without qemu-aarch64 and an aarch64 binary: the smoke script"
fi
