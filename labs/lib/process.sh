# One process: started with a log and a pid file, known by pid and start time, stopped by pid.
#
# A process is restarted only when the command it would be started with has changed, so a truth that differs from the
# last one by switches alone keeps its warm JVM.

run_dir() { echo "$LAB_HOME/run"; }

# Start time of a pid in clock ticks: a pid that was given to somebody else since has another one.
start_time_of() {
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20
}

# process_pid NAME: prints the pid when NAME is alive, else fails.
process_pid() {
  local file pid started
  file="$(run_dir)/$1.pid"
  [ -f "$file" ] || return 1
  read -r pid started < "$file"
  [ -n "$started" ] && [ "$(start_time_of "$pid")" = "$started" ] || return 1
  echo "$pid"
}

# process_start NAME COMMAND...: starts it unless it already runs with this very command.
process_start() {
  local name="$1" pid wanted port
  shift
  wanted="$(printf '%q ' "$@")$(process_fingerprint)"
  if process_pid "$name" > /dev/null; then
    [ "$(cat "$(run_dir)/$name.command")" = "$wanted" ] && return 0
    process_stop "$name"
  fi
  for port in $(ports_of "$name"); do
    ! port_open "$port" || fail "$name needs port $port, and another program has it (LAB_PORT_BASE moves the lab)"
  done
  mkdir -p "$(run_dir)" "$LAB_HOME/log"
  [ -f "$LAB_HOME/log/$name.log" ] && mv -f "$LAB_HOME/log/$name.log" "$LAB_HOME/log/$name.previous.log"
  # setsid: a Ctrl-C meant for a trial must not end the target.
  setsid "$@" > "$LAB_HOME/log/$name.log" 2>&1 < /dev/null 9>&- &
  pid=$!
  echo "$pid $(start_time_of "$pid")" > "$(run_dir)/$name.pid"
  printf '%s' "$wanted" > "$(run_dir)/$name.command"
  STARTED="$STARTED $name"
}

# What else a process depends on: the jars, by size and time.
process_fingerprint() {
  stat -c '%s.%Y' "$TARGET_JAR" "$WAITROOM_JAR" 2>/dev/null | tr '\n' ' '
}

# process_stop NAME [SIGNAL]: asks, waits 10 s, then ends it.
process_stop() {
  local name="$1" pid
  if pid="$(process_pid "$name")"; then
    kill -s "${2:-TERM}" "$pid" 2>/dev/null || true
    wait_until 10 process_gone "$name" || kill -s KILL "$pid" 2>/dev/null || true
    wait_until 5 process_gone "$name" || fail "$name (pid $pid) does not end"
  fi
  rm -f "$(run_dir)/$name.pid" "$(run_dir)/$name.command"
}

process_gone() { ! process_pid "$1" > /dev/null; }

# wait_until SECONDS COMMAND...: true as soon as the command is.
wait_until() {
  local deadline=$(($(date +%s) + $1))
  shift
  until "$@" 2>/dev/null; do
    [ "$(date +%s)" -lt "$deadline" ] || return 1
    sleep 0.1
  done
}

port_open() { (: < "/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# must_answer NAME SECONDS COMMAND...: waits, and shows the end of the log when it was in vain.
must_answer() {
  local name="$1" seconds="$2"
  shift 2
  wait_until "$seconds" alive_and "$name" "$@" && return 0
  tail -n 20 "$LAB_HOME/log/$name.log" >&2
  fail "$name did not answer within $seconds s; its log is $LAB_HOME/log/$name.log"
}

# Fails at once, not after the time-out, when the process has already ended.
alive_and() {
  local name="$1"
  shift
  process_pid "$name" > /dev/null || { tail -n 20 "$LAB_HOME/log/$name.log" >&2; fail "$name ended while starting"; }
  "$@"
}
