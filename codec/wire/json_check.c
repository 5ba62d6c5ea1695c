#include "codec/wire/json.h"
