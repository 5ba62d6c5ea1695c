/* Text inside XML 1.0: escaped, and without what XML cannot hold. */
#ifndef CONFORMANCE_REPORT_XML_TEXT_H
#define CONFORMANCE_REPORT_XML_TEXT_H

#include <stdio.h>

/* For elements and double-quoted attributes. Control characters and what is no character are left out; a byte
 * that is no UTF-8 becomes '?'. Line ends are written as &#10;, so that attributes keep them. */
void xml_text_write(FILE *out, const char *string);

#endif
