#include "codec/wire/crc32.h"
