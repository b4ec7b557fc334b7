// What the running thread does changes for, and when.

#ifndef C_CURRENT_CAUSE_H
#define C_CURRENT_CAUSE_H

#include <stdint.h>
#include <time.h>

/// The pointer that the running thread has set; null in new threads.
///
/// Out of sight of the optimizer, as a thread's identity has to be.
void *c_current_cause(void);

void c_set_current_cause(void *cause);

/// Nanoseconds since January 1, 1970, UTC, as of the last tick of the kernel's clock, which costs a
/// fraction of what the precise time does.
static inline int64_t c_coarse_time(void) {
  struct timespec time;
#if defined(CLOCK_REALTIME_COARSE)
  clock_gettime(CLOCK_REALTIME_COARSE, &time);
#else
  clock_gettime(CLOCK_REALTIME, &time);
#endif
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#endif
