#ifndef CLIENT_APP_INTERVIEW_CONFORM_H
#define CLIENT_APP_INTERVIEW_CONFORM_H

#include "client/app/app_class.h"

/* The family's part of ojin-client conform. */
int interview_conform(const struct conform_order *order);

#endif
