// In C because Swift's overlay of glibc leaves malloc.h out.
#include "CHeapMeter.h"

#include <stdlib.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>

size_t heap_bytes_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#elif defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>

size_t heap_bytes_in_use(void) {
  struct mallinfo2 statistics = mallinfo2();
  return statistics.uordblks + statistics.hblkhd;
}
#else
size_t heap_bytes_in_use(void) { return 0; }
#endif
