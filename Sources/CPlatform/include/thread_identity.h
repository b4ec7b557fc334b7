// The identity of the running thread, in a way that the optimizer cannot keep over an `await`.
//
// An async function may go on in another thread after each `await`. The C library's pthread_self()
// is of no use there: Glibc and Bionic declare it `const`, a promise that it always returns the same,
// so the optimizer asks once in a function and takes the answer for another thread's later on
// (https://github.com/llvm/llvm-project/issues/47177). The address of a thread-local variable has the
// same fault. What is volatile is done as often as it is written, and where it is written.

#ifndef C_THREAD_IDENTITY_H
#define C_THREAD_IDENTITY_H

#include <stdint.h>

#if defined(__APPLE__)
#include <pthread.h>
#endif

/// Asks the C library, out of sight of the optimizer.
uintptr_t c_thread_identity_of_library(void);

/// A number that no other living thread has: above 1,000, and a multiple of 4.
static inline __attribute__((always_inline)) uintptr_t c_thread_identity(void) {
#if defined(__APPLE__)
  // Declared without `const`; the registers are the system's own affair.
  return (uintptr_t)pthread_self();
#elif defined(__linux__) && defined(__x86_64__) && defined(__LP64__)
  // The thread's control block begins with its own address: so says the ABI for thread-local
  // storage, by which Glibc, Musl and Bionic go.
  uintptr_t identity;
  __asm__ volatile("movq %%fs:0, %0" : "=r"(identity));
  return identity;
#elif defined(__linux__) && defined(__aarch64__)
  // Points to the thread's control block or to what follows it, and is aligned as that is.
  uintptr_t identity;
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(identity));
  return identity;
#else
  return c_thread_identity_of_library();
#endif
}

#endif
