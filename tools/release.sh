#!/usr/bin/env bash
# A release, step by step; RELEASE.md says what a person looks at in between.
# usage: tools/release.sh --dry-run    every step up to the push; tags and pushes nothing
#        tools/release.sh              the same, then the tag, which is pushed after a yes; the workflow `release` does the rest
#        tools/release.sh STEP         one step: versions, tree, checks, files, tag, publish
#   MACHINES="x86_64 aarch64"  what to build for
#   PROFILE=suite              builds quickly, for trying the script
#   CHECKS=no                  leaves out `.ci/run`, which takes an hour and a half at most
#   REGISTRY, REGISTRY_USER, GH_TOKEN   where `publish` sends images and files to (the workflow sets them)
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
machines=${MACHINES:-x86_64 aarch64}

step() { printf '\n== %s\n' "$*"; }

# One number everywhere, and a section of the changelog that has it.
versions() {
  step "versions: $version"
  python3 - "$version" <<'PY'
import json, pathlib, re, sys

version = sys.argv[1]
places = {
    "deploy/gate/chart/Chart.yaml": r"(?m)^(?:appVersion|version): (\S+)",
    "deploy/gate/kubernetes.yaml": r"(?:app\.kubernetes\.io/version: \"|image: \"loadline-gate:)([^\"]+)",
    "deploy/gate/Dockerfile": r"loadline-gate:(\d\S*)",
    "deploy/loadline/Dockerfile": r"loadline:(\d\S*)",
    "sdk/gate/node/package.json": r'"version": "([^"]+)"',
    "sdk/gate/spring-boot-starter/pom.xml": r"spring-boot-starter</artifactId>\s*<version>([^<]+)",
    "sdk/gate/check/spring/pom.xml": r"loadline-gate-spring-boot-starter</artifactId>\s*<version>([^<]+)",
    "Cargo.lock": r'name = "loadline-[^"]+"\nversion = "([^"]+)"',
    "model/Cargo.lock": r'name = "loadline-(?:metrics|units)"\nversion = "([^"]+)"',
    "bench/metrics/Cargo.lock": r'name = "loadline-(?:metrics|units)"\nversion = "([^"]+)"',
    "CHANGELOG.md": r"(?m)\A(?:.*\n)*?## (\d[^ ]*) - \d{4}-\d\d-\d\d$",
}
wrong = 0
for place, form in places.items():
    found = re.findall(form, pathlib.Path(place).read_text())
    if set(found) != {version}:
        print(f"{place}: {sorted(set(found)) or 'no version'}, not {version}")
        wrong += 1
unreleased = re.search(r"(?ms)^## Unreleased\n(.*?)^## ", pathlib.Path("CHANGELOG.md").read_text())
if unreleased is None or unreleased[1].strip():
    print("CHANGELOG.md: `Unreleased` is missing or has entries; they belong below the new version")
    wrong += 1
print(f"{len(places)} places look alike" if not wrong else f"{wrong} wrong")
sys.exit(wrong > 0)
PY
  if [ "${GITHUB_REF_TYPE:-}" = tag ] && [ "$GITHUB_REF_NAME" != "v$version" ]; then
    echo "the tag is $GITHUB_REF_NAME"
    exit 1
  fi
}

# What is released is what is committed, on main, and not released yet.
tree() {
  step "tree"
  [ -z "$(git status --porcelain)" ] || { git status --short; echo "there is work that is not committed"; exit 1; }
  ! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || { echo "v$version is there already"; exit 1; }
  local branch
  branch=$(git branch --show-current)
  [ "$branch" = main ] || [ "$is_dry" = yes ] || { echo "on $branch, not on main"; exit 1; }
  echo "clean, $(git log -1 --format='%h %s')${branch:+ (on $branch)}"
}

checks() {
  step "checks"
  if [ "${CHECKS:-yes}" = no ]; then
    echo "left out"
    return
  fi
  .ci/run
  make compare-k6 compare-artillery
}

# Everything that is attached to a release, in dist/.
files() {
  step "files"
  rm -rf dist
  local targets=() machine
  for machine in $machines; do targets+=("$machine-unknown-linux-gnu"); done
  tools/dist.sh "${targets[@]}"
  [ "${PROFILE:-dist}" = dist ] || echo "built with profile $PROFILE: not to be released"
  tools/deb.sh
  make --no-print-directory target/tools/helm
  target/tools/helm package --destination dist deploy/gate/chart
  (
    cd dist
    find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | sort | xargs sha256sum >SHA256SUMS
    sha256sum --check --quiet SHA256SUMS
    ls -l
  )
}

# The section of the changelog, which is what the release says of itself.
notes() {
  awk -v heading="## $version " 'index($0, heading) == 1 { is_in = 1; next } /^## / { is_in = 0 } is_in' CHANGELOG.md
}

tag() {
  step "tag and push"
  if [ "$is_dry" = yes ]; then
    echo "left out: git tag --annotate v$version --message 'loadline $version'; git push origin main v$version"
    echo "then the workflow \`release\` builds the same files and publishes them with these notes: $(notes | wc -l) lines"
    return
  fi
  local answer
  read -rp "push v$version? (yes) " answer
  [ "$answer" = yes ] || { echo "nothing was pushed"; exit 1; }
  git tag --annotate "v$version" --message "loadline $version"
  git push origin main "v$version"
}

# Run by the workflow, from the files in dist/.
publish() {
  step "publish"
  (cd dist && sha256sum --check --quiet SHA256SUMS)
  : "${REGISTRY:?}" "${REGISTRY_USER:?}" "${GH_TOKEN:?}"
  chmod +x dist/loadline-linux-*
  buildah login --username "$REGISTRY_USER" --password-stdin "${REGISTRY%%/*}" <<<"$GH_TOKEN"
  local name machine architecture
  for name in loadline loadline-gate; do
    buildah manifest create "$name:$version"
    for machine in $machines; do
      architecture=amd64
      [ "$machine" != aarch64 ] || architecture=arm64
      buildah build --arch "$architecture" --build-arg "MACHINE=$machine" --manifest "$name:$version" \
        -f "deploy/${name#loadline-}/Dockerfile" .
    done
    buildah manifest push --all "$name:$version" "docker://$REGISTRY/$name:$version"
  done
  notes >notes.md
  gh release create "v$version" --title "loadline $version" --notes-file notes.md dist/*
  rm notes.md
}

is_dry=no
case "${1:-}" in
--dry-run) is_dry=yes; versions; tree; checks; files; tag ;;
"") versions; tree; checks; files; tag ;;
versions | tree | checks | files | tag | publish) "$1" ;;
*) sed -n 's/^# usage: //p; s/^#   */  /p' "$0" | head -n 3; exit 2 ;;
esac
