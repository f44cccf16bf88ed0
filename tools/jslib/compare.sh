#!/bin/bash
# Runs scripts with modules of the web under k6 and loadline and says where they differ.
#
# tools/jslib/compare.sh MODULES K6 LOADLINE [SCRIPT...]
#
# MODULES holds what the scripts import, as HOST/PATH: the lib folder of jslib's repository as jslib.k6.io, the
# reporter's dist as raw.githubusercontent.com/benc-uk/k6-reporter/main/dist. Nothing of it is part of this repository.
# Needs root: both programs run in a network of their own, in which those names lead to a server here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
modules=$(realpath "$1") k6=$(realpath "$2") loadline=$(realpath "$3")
shift 3
if [ "${IN_NETWORK:-}" != yes ]; then
  exec env IN_NETWORK=yes unshare -n -m "$0" "$modules" "$k6" "$loadline" "$@"
fi
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
ip link set lo up
names=$(cd "$modules" && ls | sed 's/^/DNS:/' | paste -sd,)
(
  cd "$work"
  openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj '/CN=an authority'
  openssl req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj '/CN=modules'
  printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "$names" >extensions
  openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out certificate.pem -days 2 -extfile extensions
) 2>/dev/null
{ cat /etc/hosts; echo "127.0.0.1 $(ls "$modules" | paste -sd' ')"; } >"$work/hosts"
mount --bind "$work/hosts" /etc/hosts
python3 "$here/serve.py" "$modules" "$work/certificate.pem" "$work/key.pem" &
server=$!
until curl -s -o /dev/null http://127.0.0.1:8080/; do sleep 0.05; done

export SSL_CERT_FILE=$work/ca.pem K6_NO_USAGE_REPORT=true K6_AUTO_EXTENSION_RESOLUTION=false
export LOADLINE_STORE=off XDG_CACHE_HOME=$work/cache
# Times, rates and sizes differ from run to run, and with them the width of columns. Frames within modules that come
# with a source map are named after it by k6, and not here.
steady() {
  sed -E 's/time="[^"]*"/time=T/; s/ (hint|source)=[^ ]*( exception")?//g; s/\x1b\[[0-9;]*m//g; s/[0-9]+(\.[0-9]+)?(µs|ms|s|\/s)/#/g; s/[0-9.]+ [kM]?B/#B/g; s/ at [A-Za-z0-9_.]+ \((https|webpack):[^ )]*(\([0-9]+\))?\)//g; s/ +/ /g; s/ $//' |
    grep -Ev '^$|^loadline: |^ *→? *(data_|iteration_duration|iterations\.|http_req_(duration|blocked|connecting|receiving|sending|tls|waiting)|\{ expected)' | sort
}
cp -r "$here/scripts" "$work/scripts"
cd "$work/scripts"
differing=0
for script in "${@:-}"; do
  [ -n "$script" ] || { set -- *.js *.ts; break; }
done
for script in "$@"; do
  theirs=0 ours=0
  timeout 60 "$k6" run -q "$script" >"$work/k6.log" 2>&1 || theirs=$?
  timeout 60 "$loadline" run -q "$script" >"$work/loadline.log" 2>&1 || ours=$?
  if [ "$theirs" = "$ours" ] && diff <(steady <"$work/k6.log") <(steady <"$work/loadline.log") >"$work/differences"; then
    echo "equal    $script (exit $ours)"
  else
    echo "DIFFERS  $script (k6 $theirs, loadline $ours)"
    head -20 "$work/differences"
    differing=$((differing + 1))
  fi
done
echo "$differing differ"
exit $((differing > 0))
