/* Sets the time of day of one process ahead: what a gate on a machine with a wrong clock sees.
 *   cc -shared -fPIC -O2 -o clock.so clock.c -ldl
 *   CLOCK_AHEAD_S=300 LD_PRELOAD=./clock.so loadline gate ... */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int (*real)(clockid_t, struct timespec *);
static long ahead;

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("CLOCK_AHEAD_S");
  real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  ahead = text ? atol(text) : 0;
}

int clock_gettime(clockid_t which, struct timespec *at) {
  int failed = real(which, at);
  if (!failed && which == CLOCK_REALTIME) at->tv_sec += ahead;
  return failed;
}
