#!/usr/bin/env bash
# Studies of settings beside other users and against trouble: what they changed comes back, byte for byte, with owner, mode
# and access list, or the error names what does not. Needs root, which becomes two users of no other process.
# usage: bench/tune_safety.sh [LOADLINE]     (target/suite/loadline)
set -euo pipefail
loadline=$(realpath "${1:-target/suite/loadline}")
first=64001 second=64002
work=$(mktemp -d) failed=0
chmod 755 "$work"
"$loadline" demo --address 127.0.0.1:0 >"$work/demo" &
demo=$!
finish() {
  kill "$demo" 2>/dev/null || true
  wait "$demo" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
touch -r "$work" "$work/began"
until base=$(grep -oE 'http://[0-9.:]+' "$work/demo" | head -n 1) && [ -n "$base" ]; do sleep 0.1; done

as() {
  local user=$1
  shift
  setpriv --reuid "$user" --regid "$user" --clear-groups env HOME="$work/$user" LANG=C XDG_DATA_HOME="$work/$user/data" "$@"
}
# A study of a user: one knob in a file. usage: study USER NAME FILE [LINE OF YAML]
study() {
  mkdir -p "$work/$1"
  echo 'threads={threads}' >"$work/$1/t.conf"
  cat >"$work/$1/$2.study.yaml" <<YAML
test: $base/ --rate 20/s --duration 1s --no-store
goal: throughput max
pause: 0s
knobs:
  - name: threads
    values: [5, 10]
    now: 5
    template: {file: $3, from: $work/$1/t.conf}
budget: {trials: 4}
${4:-}
YAML
  chown -R "$1:$1" "$work/$1"
}
# All that can be told of a file but its time, which only its owner may set.
seen() { stat -c '%n %s %a %u %g' "$1" && sha256sum <"$1" && python3 -c 'import os, sys; p = sys.argv[1]; print([(n, os.getxattr(p, n)) for n in sorted(os.listxattr(p))])' "$1"; }
config() {
  { echo "# settings of the shop"; echo 'threads=5'; } >"$1"
  chown "${2:-root}" "$1"
  chmod "${3:-666}" "$1"
  touch -d 2020-01-01 "$1"
}
is() {
  if [ "$2" = "$3" ]; then echo "ok    $1"; else
    echo "WRONG $1: $2, not $3"
    failed=1
  fi
}
has() {
  if grep -q -- "$3" "$2"; then echo "ok    $1: $(grep -m 1 -- "$3" "$2" | cut -c 1-150)"; else
    echo "WRONG $1: no '$3' in"
    cat "$2"
    failed=1
  fi
}
journal_has() { until grep -q "$2" "$1.journal" 2>/dev/null; do sleep 0.05; done; }
tune() { as "$1" "$loadline" tune "$work/$1/$2.study.yaml" -q "${@:3}"; }

echo "== two users, one file, one target"
conf=$work/app.conf
config "$conf"
before=$(seen "$conf")
study $first s "$conf"
study $second s "$conf"
tune $first s >"$work/one" 2>&1 &
running=$!
journal_has "$work/$first/s.study.yaml" '"trial_ended"'
code=0
tune $second s >"$work/two" 2>&1 || code=$?
is "the second one ends with 2" $code 2
has "it says who has the file" "$work/two" "user $first"
code=0
wait $running || code=$?
is "the first one ends with an answer" "$((code == 1 || code == 2))" 0
is "the file is as it was" "$(seen "$conf")" "$before"
code=0
tune $second s >"$work/two" 2>&1 || code=$?
is "then the second one runs" "$((code == 1 || code == 2))" 0
is "the file is as it was" "$(seen "$conf")" "$before"

echo "== two users, other files, one target"
config "$work/other.conf"
study $second o "$work/other.conf"
tune $first s >"$work/one" 2>&1 &
running=$!
journal_has "$work/$first/s.study.yaml" '"original"'
code=0
tune $second o >"$work/two" 2>&1 || code=$?
is "the second one ends with 2" $code 2
has "it says what both work on" "$work/two" "another study works on"
wait $running || true

echo "== two users, one capacity search each, at once"
code=0
for user in $first $second; do
  as $user "$loadline" capacity "$base/" --slo 'p(95)<2s' --start-at 5/s --max-rate 10/s --budget 40s --confirm 5s --no-soak --no-store >"$work/capacity-$user" 2>&1 &
done
for job in $(jobs -p | grep -v "^$demo$"); do wait "$job" || code=$?; done
is "both end with a verdict" "$((code == 0 || code == 3 ? 0 : code))" 0

echo "== links, access lists, foreign owners"
if setfacl -m u:$first:rw "$conf" 2>/dev/null || python3 - "$conf" $first <<'PY'
import os, struct, sys
entry = lambda tag, perm, id=0xffffffff: struct.pack("<HHI", tag, perm, id)
acl = struct.pack("<I", 2) + entry(1, 6) + entry(2, 6, int(sys.argv[2])) + entry(4, 4) + entry(16, 6) + entry(32, 0)
os.setxattr(sys.argv[1], "system.posix_acl_access", acl)
PY
then
  touch -d 2020-01-01 "$conf"
  before=$(seen "$conf")
  ln -s "$conf" "$work/link.conf"
  study $first l "$work/link.conf"
  code=0
  tune $first l >"$work/one" 2>&1 || code=$?
  is "a file of root that an access list opens, behind a link" "$((code == 1 || code == 2))" 0
  is "the file is as it was, its list too" "$(seen "$conf")" "$before"
  is "the link is one" "$(readlink "$work/link.conf")" "$conf"
  code=0
  study $second l "$work/link.conf"
  tune $second l >"$work/two" 2>&1 || code=$?
  is "whom it does not open is refused" "$((code != 0))" 1
  has "the error names the file" "$work/two" "link.conf"
  is "the file is as it was" "$(seen "$conf")" "$before"
else
  echo "skipped: this file system has no access lists"
fi

echo "== a command that fails, kill -9"
config "$conf" root 666
before=$(seen "$conf")
study $first f "$conf" "target: {restart: [grep, -q, threads=5, $conf]}"
code=0
tune $first f >"$work/one" 2>&1 || code=$?
echo "      a restart that fails with the other setting: exit $code"
is "the file is as it was" "$(seen "$conf")" "$before"
study $first k "$conf"
tune $first k >"$work/one" 2>&1 &
journal_has "$work/$first/k.study.yaml" '"trial_begun","number":2'
pid=$(pgrep -f "^$loadline tune $work/$first/k.study.yaml" | head -n 1)
kill -9 "$pid"
wait 2>/dev/null $! || true
code=0
tune $first k --restore >"$work/one" 2>&1 || code=$?
is "--restore ends well" $code 0
is "the file is as it was" "$(seen "$conf")" "$before"

echo "== nothing is left"
left=$(find /tmp /var/tmp /dev/shm -maxdepth 1 -newer "$work/began" \( -user $first -o -user $second -o -name 'loadline-tune-*' \) 2>/dev/null)
is "no file outside the users' folders" "$left" ""
is "no process of the users" "$(pgrep -u "$first,$second" || true)" ""
exit $failed
