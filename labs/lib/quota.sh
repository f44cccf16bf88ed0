# A CPU quota by cgroup (version 1 or 2), where the machine lets us make one.

QUOTA_PERIOD_US=100000

quota_dir() {
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    echo "/sys/fs/cgroup/loadline-lab-$LAB_PORT_BASE"
  else
    echo "/sys/fs/cgroup/cpu/loadline-lab-$LAB_PORT_BASE"
  fi
}

# quota_prepare: makes the group, without a quota yet, and sets QUOTA_WRAPPER, which starts a command inside it.
quota_prepare() {
  local dir
  dir="$(quota_dir)"
  mkdir -p "$dir" 2>/dev/null || not_here "no cgroup can be made in ${dir%/*}"
  [ ! -f /sys/fs/cgroup/cgroup.controllers ] || echo +cpu > /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || true
  [ -f "$dir/cpu.max" ] || [ -f "$dir/cpu.cfs_quota_us" ] || not_here "$dir takes no quota"
  quota_set -1
  QUOTA_WRAPPER=(sh -c "echo \$\$ > $dir/cgroup.procs && exec \"\$@\"" sh)
}

# quota_set PERCENT: of one core, or -1 for none. Set when the target has started: half a core would start it for minutes.
quota_set() {
  local dir quota
  dir="$(quota_dir)"
  if [ -f "$dir/cpu.max" ]; then
    quota=$(($1 * QUOTA_PERIOD_US / 100))
    [ "$1" != -1 ] || quota=max
    echo "$quota $QUOTA_PERIOD_US" > "$dir/cpu.max"
  else
    quota=$(($1 * QUOTA_PERIOD_US / 100))
    [ "$1" != -1 ] || quota=-1
    echo "$QUOTA_PERIOD_US" > "$dir/cpu.cfs_period_us"
    echo "$quota" > "$dir/cpu.cfs_quota_us"
  fi
}

quota_remove() {
  [ ! -d "$(quota_dir)" ] || rmdir "$(quota_dir)"
}
