# Switches: changed while the lab runs, all back to their defaults when a truth is set up.

JAVA_TARGETS="app-1 app-2 waitroom"

# switches_reset: every running process back to its defaults.
switches_reset() {
  local name
  for name in $JAVA_TARGETS; do
    process_pid "$name" > /dev/null || continue
    curl -fsS -o /dev/null -X DELETE "127.0.0.1:$(port_of "$name-management")/actuator/lab" || fail "$name was not reset"
  done
  if process_pid outside > /dev/null; then
    curl -fsS -o /dev/null -X POST "127.0.0.1:$(port_of outside-control)/control?latencyMs=0&limit=0&errorEvery=0"
  fi
}

# switches_set NAME=VALUE...: app switches go to every running instance.
switches_set() {
  local pair
  for pair in "$@"; do
    case "$pair" in
      outside.*=*) switch_outside "${pair#outside.}" ;;
      *=*) switch_targets "${pair%%=*}" "${pair#*=}" ;;
      *) fail "\`$pair\` is not NAME=VALUE" ;;
    esac
  done
}

switch_outside() {
  local answer
  answer="$(curl -sS -w '\n%{http_code}' -X POST "127.0.0.1:$(port_of outside-control)/control?$1")" || fail "outside server: no answer"
  [ "${answer##*$'\n'}" = 200 ] || fail "outside server: ${answer%$'\n'*}"
}

switch_targets() {
  local name answer sent=no
  for name in $JAVA_TARGETS; do
    process_pid "$name" > /dev/null || continue
    answer="$(curl -sS -w '\n%{http_code}' -H 'Content-Type: application/json' \
      -d "{\"name\":\"$1\",\"value\":\"$2\"}" "127.0.0.1:$(port_of "$name-management")/actuator/lab")" || fail "$name: no answer"
    [ "${answer##*$'\n'}" = 200 ] || fail "$name refused $1=$2: ${answer%$'\n'*}"
    sent=yes
  done
  [ "$sent" = yes ] || fail "no target runs; start one with labs/up TRUTH"
}

# quiesced: nothing is left of the last trial. A trial that starved a pool leaves threads that wait for it long after
# their callers have gone, and they would be measured as part of the next.
quiesced() {
  local name
  for name in app-1 app-2; do
    process_pid "$name" > /dev/null || continue
    curl -fs "127.0.0.1:$(port_of "$name-management")/actuator/prometheus" | awk '
      /^hikaricp_connections_(active|pending)\{/ { open += $NF }
      /^tomcat_threads_busy_threads\{/ { open += $NF }
      END { exit open > 0 }' || return 1
  done
}
