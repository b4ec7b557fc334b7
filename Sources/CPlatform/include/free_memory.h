// What the C library keeps of memory that was freed.

#ifndef C_FREE_MEMORY_H
#define C_FREE_MEMORY_H

#include <stdint.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Gives memory back to the kernel that was freed between blocks that were not. By itself, Glibc only
/// does so with what lies at the end of its heap; other libraries have ways of their own.
static inline void c_give_free_memory_back(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

#endif
