// In C because Swift's overlay of glibc leaves malloc.h out.
#include "CMemoryMeter.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>

size_t memory_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#elif defined(__linux__)
#include <stdio.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

size_t memory_in_use(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
  unsigned long size = 0, resident = 0, shared = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%lu %lu %lu", &size, &resident, &shared) != 3) resident = shared = 0;
  fclose(file);
  return (resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
}
#else
size_t memory_in_use(void) { return 0; }
#endif
