#include "current_cause.h"

static _Thread_local void *current_cause;

void *c_current_cause(void) { return current_cause; }

void c_set_current_cause(void *cause) { current_cause = cause; }
