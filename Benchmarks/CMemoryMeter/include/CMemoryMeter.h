#pragma once
#include <stddef.h>

/// The bytes of memory that the process uses, after the allocator has given back what it can; 0 where
/// that cannot be found out.
size_t memory_in_use(void);
