// Loaded before the C library of a program under test (LD_PRELOAD): its wall clock is ahead by the milliseconds that stand, as 64 bits
// of this machine, in the file JADOUBE_WALL_CLOCK names, whenever that changes. The other clocks are those of the system.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead_ms;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  real_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *name = getenv("JADOUBE_WALL_CLOCK");
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *ahead_ms, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) ahead_ms = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  if (real_clock_gettime == NULL) begin();
  int status = real_clock_gettime(clock, at);
  if (status == 0 && ahead_ms != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t ns = at->tv_nsec + (*ahead_ms % 1000) * 1000000;
    at->tv_sec += *ahead_ms / 1000 + (ns >= 1000000000) - (ns < 0);
    at->tv_nsec = (ns + 1000000000) % 1000000000;
  }
  return status;
}

int gettimeofday(struct timeval *at, void *zone) {
  (void)zone;
  struct timespec now;
  int status = clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return status;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
