#include "CParallelism.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Before Swift Testing asks for it, which would run thousands. On two cores, 8 at once take less time
// than 2, 4, 16 and thousands.
__attribute__((constructor)) static void limit_parallel_tests(void) {
  char count[24];
  snprintf(count, sizeof count, "%ld", 4 * sysconf(_SC_NPROCESSORS_ONLN));
  setenv(PARALLEL_TESTS, count, 0);
}
