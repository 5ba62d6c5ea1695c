#include "client/app/app_class.h"

#define FAMILY(name, prefix) extern const struct app_class prefix##_APP_CLASS;
#include "client/app/families.inc"
#undef FAMILY

const struct app_class *const APP_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_APP_CLASS,
#include "client/app/families.inc"
#undef FAMILY
    NULL};
