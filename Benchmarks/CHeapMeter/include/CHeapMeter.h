#pragma once
#include <stddef.h>

/// The bytes that were allocated and not freed, with what the allocator adds to each; 0 where the
/// allocator cannot be asked.
size_t heap_bytes_in_use(void);
