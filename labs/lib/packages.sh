# What a machine needs beyond Java 17 and Maven: PostgreSQL 15 and, for some truths, nginx and Redis, and for the strangers
# Puma, by apt; the jars, by Maven. Downloads and installs are timed apart from the lab's own work.

PG_BIN="${LAB_PG_BIN:-/usr/lib/postgresql/15/bin}"

# need_packages PROCESS...: installs what these processes need.
need_packages() {
  local missing=""
  for process in "$@"; do
    case "$process" in
      postgres) [ -x "$PG_BIN/postgres" ] || missing="$missing postgresql-15" ;;
      nginx) command -v nginx > /dev/null || [ -x /usr/sbin/nginx ] || missing="$missing nginx-light" ;;
      puma) command -v puma > /dev/null && ruby -rwebrick -e '' 2> /dev/null || missing="$missing ruby ruby-webrick puma" ;;
      redis) command -v redis-server > /dev/null || missing="$missing redis-server" ;;
    esac
  done
  command -v curl > /dev/null || missing="$missing curl"
  [ -z "$missing" ] || timed_download "apt install$missing" install_packages $missing
}

install_packages() {
  [ "$(id -u)" = 0 ] || fail "these packages are missing, and only root can install them: apt-get install $*"
  # Installing a server must not start it: the lab runs its own, on its own ports.
  local guard=/usr/sbin/policy-rc.d made=no
  if [ ! -e "$guard" ]; then
    printf '#!/bin/sh\nexit 101\n' > "$guard" && chmod +x "$guard" && made=yes
  fi
  apt-get update -q > "$LAB_HOME/log/apt.log" 2>&1 \
    && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >> "$LAB_HOME/log/apt.log" 2>&1
  local result=$?
  [ "$made" = no ] || rm -f "$guard"
  [ "$result" = 0 ] || { tail -n 5 "$LAB_HOME/log/apt.log" >&2; fail "apt could not install: $*"; }
}

# need_jars: builds when a source is newer than its jar. Offline first: the repository asks nothing of a warm cache.
# Under labs/test, which has built them, nothing is built again: the probe's own jar is in use.
need_jars() {
  [ -z "${LAB_JARS_BUILT:-}" ] || return 0
  if [ -f "$TARGET_JAR" ] && [ -f "$WAITROOM_JAR" ] && [ -f "$PROBE_JAR" ] && [ -z "$(newer_sources)" ]; then
    return 0
  fi
  build_jars -o && return 0
  timed_download "maven dependencies" fetch_dependencies
  build_jars -o || { tail -n 20 "$LAB_HOME/log/maven.log" >&2; fail "the jars did not build"; }
}

newer_sources() {
  find "$LABS_DIR/pom.xml" "$LABS_DIR"/{target,waitroom,probe}/{pom.xml,src/main} -newer "$PROBE_JAR" -print -quit
}

build_jars() {
  (cd "$LABS_DIR" && mvn -q -B "$@" package -DskipTests > "$LAB_HOME/log/maven.log" 2>&1)
}

# A real build, not dependency:go-offline, which leaves some behind.
fetch_dependencies() {
  build_jars || { tail -n 20 "$LAB_HOME/log/maven.log" >&2; fail "Maven could not build online"; }
}

# The OpenTelemetry agent, only when it is asked for (LAB_OTEL=1).
OTEL_AGENT_VERSION=2.33.1
need_otel_agent() {
  OTEL_AGENT_JAR="$LAB_HOME/opentelemetry-javaagent-$OTEL_AGENT_VERSION.jar"
  [ -f "$OTEL_AGENT_JAR" ] || timed_download "OpenTelemetry agent" fetch_otel_agent
}

fetch_otel_agent() {
  mvn -q -B dependency:copy -DoutputDirectory="$LAB_HOME" \
    -Dartifact="io.opentelemetry.javaagent:opentelemetry-javaagent:$OTEL_AGENT_VERSION" > "$LAB_HOME/log/otel.log" 2>&1 \
    || { tail -n 5 "$LAB_HOME/log/otel.log" >&2; fail "Maven could not fetch the OpenTelemetry agent"; }
}

DOWNLOAD_SECONDS=0
timed_download() {
  local what="$1" began ended
  shift
  say "downloading: $what"
  began=$(date +%s)
  "$@"
  ended=$(date +%s)
  DOWNLOAD_SECONDS=$((DOWNLOAD_SECONDS + ended - began))
}
