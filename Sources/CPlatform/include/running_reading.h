// The section in which the running thread only reads.

#ifndef C_RUNNING_READING_H
#define C_RUNNING_READING_H

/// The pointer that the running thread has set; null in new threads.
///
/// Out of sight of the optimizer, as a thread's identity has to be.
void *c_running_reading(void);

void c_set_running_reading(void *reading);

#endif
