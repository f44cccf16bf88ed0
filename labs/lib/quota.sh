# A CPU quota by cgroup (version 1 or 2), where the machine lets us make one.

QUOTA_PERIOD_US=100000

quota_dir() {
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    echo "/sys/fs/cgroup/loadline-lab-$LAB_PORT_BASE"
  else
    echo "/sys/fs/cgroup/cpu/loadline-lab-$LAB_PORT_BASE"
  fi
}

# quota_prepare PERCENT: makes the group and sets QUOTA_WRAPPER, which starts a command inside it.
quota_prepare() {
  local dir quota=$(($1 * QUOTA_PERIOD_US / 100))
  dir="$(quota_dir)"
  mkdir -p "$dir" 2>/dev/null || not_here "no cgroup can be made in ${dir%/*}"
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    echo +cpu > /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || true
    echo "$quota $QUOTA_PERIOD_US" 2>/dev/null > "$dir/cpu.max" || not_here "$dir has no cpu.max"
  else
    { echo "$QUOTA_PERIOD_US" > "$dir/cpu.cfs_period_us" && echo "$quota" > "$dir/cpu.cfs_quota_us"; } 2>/dev/null \
      || not_here "$dir takes no quota"
  fi
  QUOTA_WRAPPER=(sh -c "echo \$\$ > $dir/cgroup.procs && exec \"\$@\"" sh)
}

quota_remove() {
  [ ! -d "$(quota_dir)" ] || rmdir "$(quota_dir)"
}
