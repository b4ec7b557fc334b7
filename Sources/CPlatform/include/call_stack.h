// Who called the function that runs, and the names of functions.

#ifndef C_CALL_STACK_H
#define C_CALL_STACK_H

#include <stddef.h>
#include <stdint.h>

/// Where an address lies: in a file that was loaded, and in which function of it, as far as the C library
/// knows.
struct c_code_location {
  /// The file; null if it is not known.
  const char *image;

  /// What has been added to the addresses that the file tells.
  uintptr_t bias;

  /// The function; null if it is not known.
  const char *function;
};

/// Writes the addresses to which the functions that run return, the innermost first, and returns how many.
///
/// None where the C library can't tell.
size_t c_return_addresses(uintptr_t *addresses, size_t count);

struct c_code_location c_code_location(uintptr_t address);

/// The name of a function of Swift as people write it, which ``c_free_text`` frees; null if it is none.
char *c_demangled(const char *name);

void c_free_text(char *text);

#endif
