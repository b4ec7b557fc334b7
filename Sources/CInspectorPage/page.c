#include "inspector_page.h"

// As an extension in the C that this is built as.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "../ECSInspector/Page/page.html"
};

unsigned int inspector_page_size(void) { return sizeof page; }

unsigned char inspector_page_byte(unsigned int offset) {
  return offset < sizeof page ? page[offset] : 0;
}
