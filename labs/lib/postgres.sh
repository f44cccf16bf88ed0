# PostgreSQL 15 with a data directory of its own. It refuses to run as root, so root drops to the user postgres.

PG_DATA() { echo "$LAB_HOME/postgres"; }

as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid postgres --regid postgres --init-groups -- "$@"
  else
    "$@"
  fi
}

# postgres_start CPUS: creates and fills the database the first time.
postgres_start() {
  local cpus="$1" fresh=no
  if [ ! -f "$(PG_DATA)/seeded" ]; then
    process_stop postgres INT
    postgres_create
    fresh=yes
  fi
  # Root's children drop their privileges themselves: setpriv replaces itself, so the pid is the postmaster's.
  local drop=()
  [ "$(id -u)" != 0 ] || drop=(setpriv --reuid postgres --regid postgres --init-groups --)
  process_start postgres taskset -c "$cpus" "${drop[@]}" "$PG_BIN/postgres" -D "$(PG_DATA)" -p "$(port_of postgres)"
  must_answer postgres 20 sql postgres -c 'select 1' -o /dev/null
  if [ "$fresh" = yes ]; then
    sql postgres -c 'create database lab'
    sql lab -c 'create extension pg_stat_statements' -f "$LABS_DIR/sql/schema.sql" -f "$LABS_DIR/sql/seed.sql" \
      > "$LAB_HOME/log/seed.log"
    as_postgres touch "$(PG_DATA)/seeded"
  fi
  sql lab -f "$LABS_DIR/sql/reset.sql" > "$LAB_HOME/log/reset.log"
}

# sql DATABASE PSQL-ARGUMENTS...
sql() {
  local database="$1"
  shift
  PGOPTIONS='-c client_min_messages=warning' "$PG_BIN/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 \
    -p "$(port_of postgres)" -U lab -d "$database" "$@"
}

postgres_create() {
  rm -rf "$(PG_DATA)"
  mkdir -p "$(PG_DATA)"
  [ "$(id -u)" != 0 ] || chown postgres "$(PG_DATA)"
  chmod 700 "$(PG_DATA)"
  as_postgres "$PG_BIN/initdb" -D "$(PG_DATA)" -U lab -A trust --locale=C -E UTF8 --no-sync > "$LAB_HOME/log/initdb.log" 2>&1 \
    || { tail -n 5 "$LAB_HOME/log/initdb.log" >&2; fail "initdb failed"; }
  # No parallel workers, JIT or autovacuum: CPU that a trial sees belongs to the queries of the trial.
  as_postgres tee -a "$(PG_DATA)/postgresql.conf" > /dev/null << CONF
listen_addresses = '127.0.0.1'
port = $(port_of postgres)
unix_socket_directories = ''
max_connections = 120
shared_buffers = 256MB
shared_preload_libraries = 'pg_stat_statements'
track_io_timing = on
jit = off
max_parallel_workers_per_gather = 0
autovacuum = off
synchronous_commit = off
fsync = off
CONF
}
