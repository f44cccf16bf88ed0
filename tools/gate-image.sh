#!/usr/bin/env bash
# Builds the gate's image from nothing but its static binary, without a registry, runs it as a cluster would, and plays the
# registrations of examples/gate/register.js against it. Needs root, buildah, podman, crun, and tools/dist.sh before.
# usage: tools/gate-image.sh [MACHINE]     (x86_64; another one is built, and run under emulation as far as it can be)
set -euo pipefail
cd "$(dirname "$0")/.."
machine=${1:-$(uname -m)} image=localhost/loadline-gate:check-$machine name=loadline-gate-$$
work=$(mktemp -d)
# crun refuses machines with control groups of both versions: there it does not see the second one.
in_container() {
  if [ -d /sys/fs/cgroup/unified ]; then
    unshare --mount sh -c 'umount /sys/fs/cgroup/unified && exec podman "$@"' podman "$@"
  else
    podman "$@"
  fi
}
finish() {
  in_container rm --force --volumes --time 0 "$name" >/dev/null 2>&1 || true
  podman volume rm --force "$name" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT
architecture=amd64
[ "$machine" != aarch64 ] || architecture=arm64
# The two may keep images in different ways.
driver=$(podman info --format '{{.Store.GraphDriverName}}')
buildah --storage-driver "$driver" build --quiet --isolation chroot --arch "$architecture" --build-arg "MACHINE=$machine" -f deploy/gate/Dockerfile -t "$image" . >/dev/null
podman image inspect --format 'image: {{.Architecture}}, {{.Size}} bytes, user {{.Config.User}}' "$image"
if [ "$machine" != "$(uname -m)" ]; then
  emulator=$(command -v "qemu-$machine" || command -v "qemu-$machine-static") || { echo "not tried without qemu-$machine"; exit 0; }
  at=$(podman image mount "$image")
  "$emulator" "$at/loadline" --version
  "$emulator" "$at/loadline" gate new-key >/dev/null && echo "under emulation it makes a key"
  podman image unmount "$image" >/dev/null
  exit 0
fi
key=$(dist/loadline-linux-"$machine" gate new-key)
printf '%s\n' "$key" >"$work/root-key"
chmod 644 "$work/root-key"
# Of the limits that podman asks for, some are above what this machine may allow.
in_container run --detach --name "$name" --runtime crun --network host --read-only --user 65532:65532 --cap-drop all --memory 256m \
  --security-opt no-new-privileges --ulimit nofile=20000:20000 --ulimit nproc=4096:4096 \
  --volume "$name:/state:U" --volume "$work/root-key:/root-key:ro" \
  "$image" --root-key-file /root-key --joins-per-address 0 --lang en >/dev/null
ready() { curl -sf --noproxy '*' http://127.0.0.1:8091/readyz >/dev/null; }
for _ in $(seq 100); do ! ready || break; sleep 0.1; done
ready || { podman logs "$name"; exit 1; }
ask() { curl -sf --noproxy '*' -H "Authorization: Bearer $key" "http://127.0.0.1:8091$1" -d "$2" | grep -oE "\"id\":\"$3[0-9a-f]+" | cut -d'"' -f4; }
tenant=$(ask /v1/tenants '{"name": "image"}' t_)
queue=$(ask /v1/queues "{\"tenant\": \"$tenant\", \"slug\": \"image\", \"rate_per_s\": 50, \"redirect_origins\": [\"http://127.0.0.1:1\"]}" q_)
dist/loadline-linux-"$machine" run --no-store --lang en examples/gate/register.js -e "KEY=$key" -e "QUEUE=$queue" </dev/null
pid=$(podman inspect --format '{{.State.Pid}}' "$name")
grep -E 'VmHWM|^Uid|^CapEff' "/proc/$pid/status"
in_container stop --time 30 "$name" >/dev/null
podman inspect --format 'ended with {{.State.ExitCode}}, out of memory: {{.State.OOMKilled}}' "$name"
[ "$(podman inspect --format '{{.State.ExitCode}}' "$name")" = 0 ]
