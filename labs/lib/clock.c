/* A clock that is LAB_CLOCK_AHEAD seconds ahead and gains LAB_CLOCK_GAINS seconds a second: what a program with it in
   LD_PRELOAD takes for the time of day. The clock that waits are measured by stays true, and so do waits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*real)(clockid_t, struct timespec *);
static double ahead, gains;
static struct timespec began;

__attribute__((constructor)) static void begin(void) {
  real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *a = getenv("LAB_CLOCK_AHEAD"), *g = getenv("LAB_CLOCK_GAINS");
  ahead = a ? atof(a) : 0;
  gains = g ? atof(g) : 0;
  real(CLOCK_REALTIME, &began);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!real) begin();
  int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    double passed = (double)(now->tv_sec - began.tv_sec) + (double)(now->tv_nsec - began.tv_nsec) / 1e9;
    long long off = (long long)((ahead + gains * passed) * 1e9) + now->tv_nsec;
    now->tv_sec += off / 1000000000;
    now->tv_nsec = off % 1000000000;
    if (now->tv_nsec < 0) { now->tv_nsec += 1000000000; now->tv_sec--; }
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return result;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
