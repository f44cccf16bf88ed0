#!/usr/bin/env bash
# Builds the image of loadline from nothing but its static binary, without a registry, and does in it what a person does first:
# demo, run, report, serve, each in a container of its own, read-only, without root, without capabilities, 512 MiB. What is
# kept goes to a folder that is mounted. Needs root, buildah, podman, crun, curl, and tools/dist.sh before.
# usage: tools/image.sh [MACHINE]     (x86_64; another one is built and asked for its version under emulation)
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/try-installed.sh
. tools/try-installed.sh
machine=${1:-$(uname -m)}
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
image=localhost/loadline:$version-$machine
tests=$(mktemp -d)
name=loadline-$$
# crun refuses machines with control groups of both versions: there it does not see the second one.
in_container() {
  if [ -d /sys/fs/cgroup/unified ]; then
    unshare --mount sh -c 'umount /sys/fs/cgroup/unified && exec podman "$@"' podman "$@"
  else
    podman "$@"
  fi
}
finish() {
  for one in demo run report serve version; do in_container rm --force --time 0 "$name-$one" >/dev/null 2>&1 || true; done
  rm -rf "$tests"
}
trap finish EXIT
architecture=amd64
[ "$machine" != aarch64 ] || architecture=arm64
# The two may keep images in different ways.
driver=$(podman info --format '{{.Store.GraphDriverName}}')
buildah --storage-driver "$driver" build --quiet --isolation chroot --arch "$architecture" --build-arg "MACHINE=$machine" \
  -f deploy/loadline/Dockerfile -t "$image" . >/dev/null
podman image inspect --format 'image: {{.Architecture}}, {{.Size}} bytes, user {{.Config.User}}' "$image"
if [ "$machine" != "$(uname -m)" ]; then
  emulator=$(command -v "qemu-$machine" || command -v "qemu-$machine-static") || { echo "not tried without qemu-$machine"; exit 0; }
  at=$(podman image mount "$image")
  "$emulator" "$at/loadline" version
  podman image unmount "$image" >/dev/null
  exit 0
fi
chown 65532:65532 "$tests"
# Of the limits that podman asks for, some are above what this machine may allow.
loadline() {
  in_container run --rm --name "$name-$1" --runtime crun --network host --read-only --user 65532:65532 --cap-drop all --memory 512m \
    --security-opt no-new-privileges --ulimit nofile=20000:20000 --ulimit nproc=4096:4096 --volume "$tests:/tests" "$image" "$@"
}
try_installed 18082 18083 "$tests"
echo "read-only and without root: $image"
