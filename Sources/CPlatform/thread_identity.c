#include "thread_identity.h"

#include <pthread.h>

// Neither inlined nor looked into, or callers would learn from the C library's declaration that it
// always returns the same.
__attribute__((noinline, optnone)) uintptr_t c_thread_identity_of_library(void) {
  return (uintptr_t)pthread_self();
}
