# The other processes of the lab, one function each. Settings come from the truth (lib/truth.sh).

outside_start() {
  process_start outside taskset -c "$OUTSIDE_CPUS" java -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -Dlab.outside.port="$(port_of outside)" -Dloader.main=lab.outside.OutsideServer -jar "$TARGET_JAR"
  must_answer outside 20 curl -fs -o /dev/null "127.0.0.1:$(port_of outside-control)/self"
}

# A clock of its own for the target: LAB_CLOCK="300 0.001" is five minutes ahead and gains 1 ms a second.
clock_environment() {
  local library="$LAB_HOME/run/clock.so"
  CLOCK_ENVIRONMENT=()
  [ -n "${LAB_CLOCK:-}" ] || return 0
  command -v cc > /dev/null || not_here "a C compiler is needed for LAB_CLOCK"
  cc -O2 -shared -fPIC -o "$library" "$LABS_DIR/lib/clock.c" -ldl
  CLOCK_ENVIRONMENT=("LD_PRELOAD=$library" "LAB_CLOCK_AHEAD=${LAB_CLOCK% *}" "LAB_CLOCK_GAINS=${LAB_CLOCK#* }")
}

# app_start INSTANCE CPUS
app_start() {
  local name="$1" cpus="$2"
  clock_environment
  process_start "$name" "${QUOTA_WRAPPER[@]}" taskset -c "$cpus" env \
    LAB_PORT="$(port_of "$name")" LAB_MANAGEMENT_PORT="$(port_of "$name-management")" \
    LAB_DB_PORT="$(port_of postgres)" LAB_OUTSIDE_PORT="$(port_of outside)" \
    LAB_THREADS_MAX="$THREADS_MAX" LAB_MAX_CONNECTIONS="$MAX_CONNECTIONS" LAB_ACCEPT_COUNT="$ACCEPT_COUNT" \
    LAB_POOL_SIZE="$POOL_SIZE" LAB_CONNECTION_TIMEOUT_MS="$CONNECTION_TIMEOUT_MS" \
    LAB_OUTSIDE_TIMEOUT_MS="$OUTSIDE_TIMEOUT_MS" \
    SERVER_ADDRESS="${LAB_ADDRESS:-127.0.0.1}" "${CLOCK_ENVIRONMENT[@]}" \
    "${OTEL_ENVIRONMENT[@]}" java $APP_JVM "${OTEL_JVM[@]}" -Xlog:gc:file="$LAB_HOME/log/$name-gc.log" -jar "$TARGET_JAR"
}

waitroom_start() {
  process_start waitroom taskset -c "$APP_CPUS" env \
    LAB_PORT="$(port_of waitroom)" LAB_MANAGEMENT_PORT="$(port_of waitroom-management)" \
    LAB_DB_PORT="$(port_of postgres)" LAB_REDIS_PORT="$(port_of redis)" LAB_POOL_SIZE="$POOL_SIZE" \
    "${OTEL_ENVIRONMENT[@]}" java $APP_JVM "${OTEL_JVM[@]}" -jar "$WAITROOM_JAR"
}

# java_ready NAME: healthy, and healthy on the management port, which opens last.
java_ready() {
  must_answer "$1" 90 curl -fs -o /dev/null "127.0.0.1:$(port_of "$1-management")/actuator/health"
}

redis_start() {
  mkdir -p "$LAB_HOME/redis"
  process_start redis taskset -c "$DB_CPUS" redis-server --bind 127.0.0.1 --port "$(port_of redis)" --save '' \
    --appendonly no --dir "$LAB_HOME/redis" --daemonize no
  must_answer redis 10 redis-cli -p "$(port_of redis)" ping
  redis-cli -p "$(port_of redis)" flushall > /dev/null
}

# nginx over both instances, with the weights "FIRST:SECOND" of the truth.
nginx_start() {
  local home="$LAB_HOME/nginx" user=""
  mkdir -p "$home"
  [ "$(id -u)" != 0 ] || user="user www-data;"
  cat > "$home/nginx.conf" << CONF
$user
daemon off;
worker_processes 1;
pid $home/nginx.pid;
error_log stderr warn;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path $home/body; proxy_temp_path $home/proxy; fastcgi_temp_path $home/fastcgi;
  uwsgi_temp_path $home/uwsgi; scgi_temp_path $home/scgi;
  upstream instances {
    server 127.0.0.1:$(port_of app-1) weight=${NGINX_WEIGHTS%:*} max_fails=0;
    $(second_instance)
    keepalive 256;
  }
  server {
    listen 127.0.0.1:$(port_of nginx) backlog=1024;
    location / {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host \$host;
    }
    location = /nginx-status { stub_status; }
  }
}
CONF
  process_start nginx taskset -c "$DB_CPUS" env "LAB_NGINX=$(cksum < "$home/nginx.conf")" \
    nginx -c "$home/nginx.conf" -e stderr
  must_answer nginx 10 port_open "$(port_of nginx)"
}

# nginx knows no weight 0: an instance that is to get nothing is left out.
second_instance() {
  local weight="${NGINX_WEIGHTS#*:}"
  [ "$weight" = 0 ] || echo "server 127.0.0.1:$(port_of app-2) weight=$weight max_fails=0;"
}

# Eight loops on the target's core, as many as the target's busy threads: about half of the core is theirs, whether the
# kernel shares it out by thread or by session. They end by themselves after an hour.
neighbour_start() {
  process_start neighbour taskset -c "$APP_CPUS" timeout 3600 sh -c \
    'for loop in 1 2 3 4 5 6 7 8; do (while :; do :; done) & done; wait'
}
