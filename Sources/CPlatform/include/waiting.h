// What a thread does that waits for another one, and what the optimizer must leave where it is.

#ifndef C_WAITING_H
#define C_WAITING_H

/// Tells the processor that the thread does nothing but look again and again: 40 to 140 cycles on most.
static inline __attribute__((always_inline)) void c_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // `yield` does nothing on most of these processors; this waits until all before it is done.
  __asm__ volatile("isb" ::: "memory");
#else
  __asm__ volatile("" ::: "memory");
#endif
}

/// Keeps what was done before from being done after, as far as the optimizer is concerned.
///
/// A reference that was copied is counted where its copy is first needed, which may be behind an atomic
/// store: the optimizer doesn't know that the store lets other threads end the object.
static inline __attribute__((always_inline)) void c_finish_copies(void) {
  __asm__ volatile("" ::: "memory");
}

#endif
