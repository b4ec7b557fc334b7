#include "reader_number.h"

#include <stdatomic.h>

_Thread_local uintptr_t c_reader_number_of_thread;

static _Thread_local unsigned disputes;

static atomic_uintptr_t last;

static void take_number(void) {
  c_reader_number_of_thread = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

void c_ensure_reader_number(void) {
  if (c_reader_number_of_thread == 0) take_number();
}

void c_dispute_reader_number(void) {
  // Some are with threads that have ended or read seldom, and no reason to move.
  disputes += 1;
  if (disputes % 16 == 0) take_number();
}
