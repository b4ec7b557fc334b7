#pragma once
#include <stdint.h>

/// How often the calling thread has asked the allocator for memory. Does not count where
/// `allocations_are_counted` says so.
uint64_t allocation_count(void);

/// Whether allocations are counted on this platform: not 0 on Linux with glibc.
int allocations_are_counted(void);

/// Does nothing: what counts instructions begins anew where this returns.
void counting_ends(void);
