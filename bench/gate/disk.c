/* Makes the disk of one process full while a file is there: half of a write goes through, then there is no room.
 * Only what a store keeps is meant: the gate's files (.journal, .half) and Redis's log (.aof).
 *   cc -shared -fPIC -O2 -o disk.so disk.c -ldl
 *   DISK_FULL=/tmp/full LD_PRELOAD=./disk.so loadline gate ... ; touch /tmp/full */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ssize_t (*real)(int, const void *, size_t);
static const char *full;

__attribute__((constructor)) static void start(void) {
  real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  const char *place = getenv("DISK_FULL");
  full = place ? strdup(place) : NULL; /* Redis writes its title over its environment */
}

static int is_kept(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".journal") || !strcmp(dot, ".half") || !strcmp(dot, ".aof"));
}

ssize_t write(int file, const void *bytes, size_t length) {
  static __thread int broken_off;
  if (!full || access(full, F_OK) || !is_kept(file)) return real(file, bytes, length);
  broken_off = !broken_off;
  if (broken_off && length > 1) return real(file, bytes, length / 2);
  errno = ENOSPC;
  return -1;
}
