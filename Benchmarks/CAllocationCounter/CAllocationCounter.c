// Counts allocations by defining the allocator's functions in the program that links this: the
// dynamic linker prefers them to those of the C library, for the Swift runtime too. They count and
// hand on to the C library under the names that glibc keeps for this purpose. Freeing is left alone.
#include "CAllocationCounter.h"

#include <errno.h>
#include <stdlib.h>

#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif

// A sanitizer brings functions of its own, which have to stay in charge.
#if defined(__linux__) && defined(__GLIBC__) && !__has_feature(address_sanitizer) \
    && !__has_feature(thread_sanitizer)

// Initial-exec storage, because the allocator is called before any other could be set up.
static _Thread_local uint64_t count __attribute__((tls_model("initial-exec")));

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
  count++;
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count++;
  void *pointer = __libc_memalign(alignment, size);
  if (!pointer) return ENOMEM;
  *result = pointer;
  return 0;
}

uint64_t allocation_count(void) { return count; }
int allocations_are_counted(void) { return 1; }

#else

uint64_t allocation_count(void) { return 0; }
int allocations_are_counted(void) { return 0; }

#endif

// The compiler must not see that nothing is done.
__attribute__((noinline)) void counting_ends(void) { __asm__ volatile(""); }
