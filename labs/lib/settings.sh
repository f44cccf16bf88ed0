# Where the lab lives and listens. Sourced by every script; sets names, does nothing.
#
# LAB_HOME       state: data directories, logs, pid files   (default /var/tmp/loadline-lab-UID)
# LAB_PORT_BASE  first of the lab's ports                   (default 27000)

LABS_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
LAB_HOME="${LAB_HOME:-/var/tmp/loadline-lab-$(id -u)}"
LAB_PORT_BASE="${LAB_PORT_BASE:-27000}"

port_of() {
  case "$1" in
    relay)           echo $((LAB_PORT_BASE + 60)) ;;
    outside)         echo $((LAB_PORT_BASE + 70)) ;;
    outside-control) echo $((LAB_PORT_BASE + 71)) ;;
    nginx)           echo $((LAB_PORT_BASE + 80)) ;;
    app-1)           echo $((LAB_PORT_BASE + 81)) ;;
    app-2)           echo $((LAB_PORT_BASE + 82)) ;;
    waitroom)        echo $((LAB_PORT_BASE + 83)) ;;
    app-1-management)    echo $((LAB_PORT_BASE + 91)) ;;
    app-2-management)    echo $((LAB_PORT_BASE + 92)) ;;
    waitroom-management) echo $((LAB_PORT_BASE + 93)) ;;
    redis)           echo $((LAB_PORT_BASE + 379)) ;;
    postgres)        echo $((LAB_PORT_BASE + 432)) ;;
    *) fail "no process is called $1" ;;
  esac
}

# ports_of PROCESS: every port it listens on.
ports_of() {
  case "$1" in
    app-1 | app-2 | waitroom) port_of "$1"; port_of "$1-management" ;;
    outside) port_of outside; port_of outside-control ;;
    relay-out) port_of relay ;;
    relay-in | neighbour) ;;
    *) port_of "$1" ;;
  esac
}

# The order in which processes are started; they are stopped in the opposite one.
PROCESS_ORDER="postgres redis outside app-1 app-2 waitroom nginx relay-out relay-in neighbour"

TARGET_JAR="$LABS_DIR/target/target/lab-target.jar"
WAITROOM_JAR="$LABS_DIR/waitroom/target/lab-waitroom.jar"
PROBE_JAR="$LABS_DIR/probe/target/lab-probe.jar"

fail() {
  printf 'labs: %s\n' "$*" >&2
  exit 1
}

say() {
  printf '%s\n' "$*"
}
