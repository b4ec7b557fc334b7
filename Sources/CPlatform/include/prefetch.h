// Memory that is about to be read.

#ifndef C_PREFETCH_H
#define C_PREFETCH_H

/// Lets the processor fetch memory while it does something else. Any address will do: nothing is read.
static inline __attribute__((always_inline)) void c_prefetch(const void *address) {
  __builtin_prefetch(address);
}

#endif
