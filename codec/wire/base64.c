#include "codec/wire/base64.h"
