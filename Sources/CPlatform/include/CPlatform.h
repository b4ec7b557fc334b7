// What Swift has no word for.

#ifndef C_PLATFORM_H
#define C_PLATFORM_H

#include "call_stack.h"
#include "current_cause.h"
#include "free_memory.h"
#include "prefetch.h"
#include "reader_number.h"
#include "running_reading.h"
#include "thread_identity.h"
#include "waiting.h"

#endif
