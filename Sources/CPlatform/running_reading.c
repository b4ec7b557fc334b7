#include "running_reading.h"

static _Thread_local void *running_reading;

void *c_running_reading(void) { return running_reading; }

void c_set_running_reading(void *reading) { running_reading = reading; }
