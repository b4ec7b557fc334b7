#include "CParallelism.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Before Swift Testing asks for it. Of 2, 4, 8, 16 and thousands on two cores, 8 takes the least time,
// and thousands, as Swift Testing has it, half as much again.
__attribute__((constructor)) static void limit_parallel_tests(void) {
  char count[24];
  snprintf(count, sizeof count, "%ld", 4 * sysconf(_SC_NPROCESSORS_ONLN));
  setenv(PARALLEL_TESTS, count, 0);
}
