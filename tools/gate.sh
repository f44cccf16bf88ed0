#!/usr/bin/env bash
# Starts a gate with one tenant and one queue for trying things out; prints what scripts need.
# usage: tools/gate.sh LOADLINE DIR 'JSON of the queue' [flags of loadline gate]
# Writes DIR/env (KEY, QUEUE, TENANT, GATE, ADMIN) and DIR/pid.
set -euo pipefail
loadline=$1 dir=$2 over=$3
shift 3
mkdir -p "$dir"
"$loadline" gate --data "$dir/state" --secret-file "$dir/secret" --root-key-file "$dir/root-key" --joins-per-address 0 \
  --public 127.0.0.1:0 --admin 127.0.0.1:0 --lang en "$@" >"$dir/out" 2>"$dir/err" &
echo $! >"$dir/pid"
for _ in $(seq 200); do grep -qs 'Root key' "$dir/out" && break; sleep 0.1; done
gate=$(sed -n 's/^visitors: //p' "$dir/out") admin=$(sed -n 's/^admin: //p' "$dir/out")
key=$(cat "$dir/root-key")
ask() { curl -fsS -H "Authorization: Bearer $key" "$@"; }
field() { python3 -c 'import json,sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
tenant=$(ask "$admin/v1/tenants" -d '{"name":"try"}' | field id)
body=$(python3 -c 'import json,sys; print(json.dumps({"tenant": sys.argv[1], "slug": "try", "redirect_origins": ["http://127.0.0.1:8080"], **json.loads(sys.argv[2])}))' "$tenant" "$over")
queue=$(ask "$admin/v1/queues" -d "$body" | field id)
printf 'KEY=%s\nQUEUE=%s\nTENANT=%s\nGATE=%s\nADMIN=%s\n' "$key" "$queue" "$tenant" "$gate" "$admin" >"$dir/env"
cat "$dir/env"
