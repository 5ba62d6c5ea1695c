#include "codec/wire/wire_status.h"
