#ifndef INSPECTOR_PAGE_H
#define INSPECTOR_PAGE_H

// The page of the inspector, byte by byte, so that no pointer leaves this file.
unsigned int inspector_page_size(void);

// A byte of the page; 0 behind its end.
unsigned char inspector_page_byte(unsigned int offset);

#endif
