# A network between the caller and the target. Callers use the relay's port as if it were the target's.
#
# Delay: one relay that holds every byte back for a set time in each direction.
# Bandwidth: two relays joined by socket files, the inner one in a network namespace whose loopback has a token bucket:
#   caller -> tcp -> [outer] -> a.sock -> [inner] -> tcp over the shaped loopback -> [inner] -> b.sock -> [outer] -> target

RELAY_JAVA=(java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dloader.main=lab.relay.Relay -jar)

delay_start() {
  process_start relay-out taskset -c "$DB_CPUS" "${RELAY_JAVA[@]}" "$TARGET_JAR" \
    "tcp:$(port_of relay),tcp:$(port_of app-1),$NETWORK_DELAY_MS"
  must_answer relay-out 20 port_open "$(port_of relay)"
}

# A packet larger than the bucket would never pass, so the loopback's packets are made smaller than it.
bandwidth_start() {
  local a="$LAB_HOME/run/a.sock" b="$LAB_HOME/run/b.sock" namespace=(unshare --net)
  [ "$(id -u)" = 0 ] || namespace=(unshare --user --map-root-user --net)
  "${namespace[@]}" true 2>/dev/null || not_here "network namespaces are not allowed on this machine"
  "${namespace[@]}" sh -c 'tc qdisc add dev lo root tbf rate 10mbit burst 64kb limit 4mb' 2>/dev/null \
    || not_here "this kernel has no token bucket (tc tbf)"
  process_start relay-in "${namespace[@]}" sh -c \
    "ip link set lo mtu 16384 up && tc qdisc add dev lo root tbf rate ${NETWORK_MBIT}mbit burst 64kb limit 4mb && exec \"\$@\"" sh \
    taskset -c "$DB_CPUS" "${RELAY_JAVA[@]}" "$TARGET_JAR" "unix:$a,tcp:9000,0" "tcp:9000,unix:$b,0"
  process_start relay-out taskset -c "$DB_CPUS" "${RELAY_JAVA[@]}" "$TARGET_JAR" \
    "tcp:$(port_of relay),unix:$a,0" "unix:$b,tcp:$(port_of app-1),0"
  must_answer relay-out 20 curl -fs -o /dev/null "127.0.0.1:$(port_of relay)/noop"
}
