#!/usr/bin/env bash
# The whole loop on the built-in target: plan, run, explain, the fix, capacity before and after, tune, gate at the line.
# usage: tools/demo.sh PATH_TO_LOADLINE [FOLDER]
#
# Prints each command and its verdict; writes one HTML report in English and one in Korean. Under two minutes. Loopback only.
set -euo pipefail
loadline=$(realpath "$1")
cd "$(dirname "$0")/.."
folder=${2:-target/demo}
mkdir -p "$folder"
folder=$(realpath "$folder")
rm -rf "${folder:?}"/*
export LOADLINE_STORE="$folder/runs.db"
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done; wait 2>/dev/null || true' EXIT

heading() { printf '\n== %s\n' "$*"; }

run() { # arguments of loadline; prints what it says, its last lines of progress left out
  printf '$ loadline %s\n' "$*"
  local code=0 errors="$folder/stderr.$BASHPID"
  "$loadline" "$@" 2>"$errors" || code=$?
  # 3: a goal was missed, 4: this machine was too busy to judge, 7: cannot tell. All are verdicts.
  case "$code" in 0 | 3 | 4 | 7) ;; *) cat "$errors"; echo "exit code $code"; exit 1 ;; esac
  printf '%-10s exit code %s\n' "$1" "$code" >>"$folder/verdicts"
}

serve() { # file that takes what it prints, what to wait for, command
  local out=$1 wanted=$2
  shift 2
  "$@" >"$out" 2>&1 &
  pids+=($!)
  for _ in $(seq 200); do
    grep -qE "$wanted" "$out" && return
    sleep 0.05
  done
  cat "$out"
  exit 1
}

target() { # name: serves a target with a pool of 4; prints where
  serve "$folder/$1.log" 'http://' "$loadline" demo --address 127.0.0.1:0
  url=$(grep -oE 'http://[0-9.:]+' "$folder/$1.log" | head -n 1)
  curl -sf -X PUT "$url/settings" -d '{"pool":{"max":4},"pooled":{"query_ms":20,"downstream_ms":80}}' >/dev/null
  echo "$1: $url"
}

# Even starts: random ones need longer than a minute at each load to be told apart.
capacity() { # target, arguments
  local url=$1
  shift
  # A store of its own: `latest` is the run above.
  LOADLINE_STORE=$folder/searches.db run capacity "$url/pooled" --observe "$url/metrics" --slo 'p(95)<500ms' --slo 'errors<1%' --max-rate 240/s --precision 10 --budget 45s --confirm 3s --no-soak --arrivals even "$@"
}

# The targets wait most of the time, so what is asked of each may go on side by side.
beside() { # file, command: goes on in the background, into the file
  local out=$1
  shift
  "$@" >"$out" 2>&1 &
  pids+=($!)
}
outcome() { # file, of which process: prints it when it is there
  wait "$2" || { cat "$1"; exit 1; }
  cat "$1"
}
target target
base=$url
# Others to compare: one as it is, and two with the fix, where the call to the other server is made outside of the connection.
target before
before=$url
for name in fixed tuned; do
  target $name
  curl -sf -X PUT "$url/settings" -d '{"pooled":{"call":"outside"}}' | grep '"call"' | head -n 1
  declare "$name=$url"
done
# What they carry is found from here on, beside all else.
beside "$folder/before.txt" capacity "$before" --start-at 16/s
before_found=$!
beside "$folder/after.txt" capacity "$fixed" --start-at 64/s --export "$folder/capacity.json"
after_found=$!

heading "plan: 120,000 people a day, 5 requests each, the busiest minute ten times the mean"
run plan --dau 120000 --requests-per-user 5 --peak-factor 10 --p95 500ms --hold-time 100ms --target "$base"

heading "run: the planned 70 requests a second"
run run "$base/pooled" --rate 70/s --duration 8s --observe "$base/metrics" --note "as it is" --quiet

heading "explain: what limited it"
run explain latest

cat >"$folder/study.yaml" <<STUDY
test: $tuned/pooled --rate 90/s --arrivals even --duration 2s --observe $tuned/metrics
goal: meet tps>=70, p(95)<=500ms
pause: 0s
knobs:
  - name: pool
    values: [1, 2, 3, 4]
    now: 4
    http: {method: PUT, url: "$tuned/settings", body: '{"pool":{"max":{value}}}'}
    read: {url: "$tuned/settings", json: /pool/max}
    paste: {place: application.yml, text: "spring.datasource.hikari.maximum-pool-size: {value}"}
budget: {time: 50s}
STUDY
beside "$folder/tune.txt" run tune "$folder/study.yaml" --seed 1
tune_done=$!
heading "capacity before the fix"
outcome "$folder/before.txt" "$before_found"
heading "capacity after the fix"
outcome "$folder/after.txt" "$after_found"
heading "tune: the smallest pool that carries 70 requests a second"
outcome "$folder/tune.txt" "$tune_done"

heading "gate: a waiting room at the line"
serve "$folder/gate.log" 'kept in' "$loadline" gate --public 127.0.0.1:0 --admin 127.0.0.1:0 --data "$folder/gate" --drain-delay 0s
key=$(cat "$folder/gate/first-key")
admin=$(grep -oE '127\.0\.0\.1:[0-9]+' "$folder/gate.log" | sed -n 2p)
ask() { curl -sf -H "Authorization: Bearer $key" "http://$admin$1" -d "$2"; }
tenant=$(ask /v1/tenants '{"name":"shop"}' | grep -oE 't_[0-9a-z]+' | head -n 1)
queue=$(ask /v1/queues "{\"tenant\":\"$tenant\",\"slug\":\"sale\",\"redirect_origins\":[\"$fixed\"]}" | grep -oE 'q_[0-9a-z]+' | head -n 1)
export LOADLINE_GATE_KEY=$key
run gate import "$folder/capacity.json" --queue "$queue" --admin "$admin" --session 10s --requests-per-session 5

heading "reports"
for lang in en ko; do
  run report latest --lang "$lang" -o "$folder/report-$lang.html"
done

heading "verdicts"
cat "$folder/verdicts"
echo "reports: $folder/report-en.html, $folder/report-ko.html"
