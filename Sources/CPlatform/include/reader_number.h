// Which of many places the running thread uses, where threads that read announce themselves.

#ifndef C_READER_NUMBER_H
#define C_READER_NUMBER_H

#include <stdint.h>

extern _Thread_local uintptr_t c_reader_number_of_thread;

/// The number of the running thread; 0 while it has none. Others may have the same.
///
/// To be asked for in functions that no `await` interrupts.
static inline __attribute__((always_inline)) uintptr_t c_reader_number(void) {
  return c_reader_number_of_thread;
}

/// Gives the running thread a number, unless it has one.
void c_ensure_reader_number(void);

/// Notes that another thread has used the same place as the running one, which gets another number if that
/// happens again and again.
void c_dispute_reader_number(void);

#endif
