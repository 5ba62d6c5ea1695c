#include "codec/ojin/messages.h"
