# What one truth needs: processes, settings, switches. A truth is a folder under labs/truths with
#   truth.env      the fault, as settings that differ from the defaults below
#   fix.env        what to change to remove it (absent where nothing is to be fixed)
#   STATEMENT.md   the bottleneck, the law, the fix, and what a tool must not say

truth_defaults() {
  KIND=cpu-bound                      # or time-bound: then neighbours hardly matter
  PROCESSES="postgres app-1"          # from PROCESS_ORDER
  APP_CPUS=0 APP_2_CPUS=1 DB_CPUS=1 OUTSIDE_CPUS=1
  APP_JVM="-Xmx512m -XX:+UseSerialGC"
  THREADS_MAX=200 MAX_CONNECTIONS=8192 ACCEPT_COUNT=100
  POOL_SIZE=10 CONNECTION_TIMEOUT_MS=30000 OUTSIDE_TIMEOUT_MS=5000
  QUOTA_PERCENT=0                     # of one core; 0: no quota
  NGINX_WEIGHTS=1:1
  NETWORK=none NETWORK_MBIT=0 NETWORK_DELAY_MS=0
  ENTRY=app-1                         # the port a caller is to use
  SWITCHES=""                         # name=value ..., sent to the target (outside.name=value: to the outside server)
}

TRUTH_SETTINGS="KIND PROCESSES APP_CPUS APP_2_CPUS DB_CPUS OUTSIDE_CPUS APP_JVM THREADS_MAX MAX_CONNECTIONS ACCEPT_COUNT
                POOL_SIZE CONNECTION_TIMEOUT_MS OUTSIDE_TIMEOUT_MS QUOTA_PERCENT NGINX_WEIGHTS NETWORK NETWORK_MBIT
                NETWORK_DELAY_MS ENTRY SWITCHES"

# truth_load NAME fixed|faulty [KEY=VALUE...]
truth_load() {
  local folder="$LABS_DIR/truths/$1" state="$2" pair
  shift 2
  [ -f "$folder/truth.env" ] || fail "no truth is called $(basename "$folder"); there are: $(truth_names | tr '\n' ' ')"
  truth_defaults
  . "$folder/truth.env"
  if [ "$state" = fixed ]; then
    [ -f "$folder/fix.env" ] || fail "$(basename "$folder") has nothing to fix"
    . "$folder/fix.env"
  fi
  for pair in "$@"; do
    case " $(echo $TRUTH_SETTINGS) " in
      *" ${pair%%=*} "*) printf -v "${pair%%=*}" '%s' "${pair#*=}" ;;
      *) fail "no setting is called ${pair%%=*}; there are: $(echo $TRUTH_SETTINGS)" ;;
    esac
  done
}

truth_names() {
  (cd "$LABS_DIR/truths" && ls -d -- */ | tr -d /)
}

truth_uses() {
  case " $PROCESSES " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# Exit code of a truth that this machine cannot show.
NOT_HERE=77
not_here() {
  printf 'labs: not possible on this machine: %s\n' "$*" >&2
  exit $NOT_HERE
}
