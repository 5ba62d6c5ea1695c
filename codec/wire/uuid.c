#include "codec/wire/uuid.h"
