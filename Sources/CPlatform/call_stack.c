#define _GNU_SOURCE

#include "call_stack.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<execinfo.h>)
#define HAS_BACKTRACE 1
#include <execinfo.h>
#endif
#endif

#if defined(__GLIBC__)
#include <link.h>
#endif

size_t c_return_addresses(uintptr_t *addresses, size_t count) {
#if defined(HAS_BACKTRACE)
  // A pointer is as large as an address, and means nothing else here.
  int found = backtrace((void **)addresses, count > 1024 ? 1024 : (int)count);
  return found > 0 ? (size_t)found : 0;
#else
  (void)addresses;
  (void)count;
  return 0;
#endif
}

struct c_code_location c_code_location(uintptr_t address) {
  struct c_code_location location = {NULL, 0, NULL};
  Dl_info info;
#if defined(__GLIBC__)
  struct link_map *map = NULL;
  if (!dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return location;
  // The program itself has no name, and its path may be another one by now.
  location.image = map->l_name && map->l_name[0] ? map->l_name : "/proc/self/exe";
  location.bias = map->l_addr;
#else
  if (!dladdr((void *)address, &info)) return location;
  location.image = info.dli_fname;
  location.bias = (uintptr_t)info.dli_fbase;
#endif
  location.function = info.dli_sname;
  return location;
}

// Of the runtime library, which every program with Swift in it has.
extern char *swift_demangle(
    const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

char *c_demangled(const char *name) { return swift_demangle(name, strlen(name), NULL, NULL, 0); }

void c_free_text(char *text) { free(text); }
