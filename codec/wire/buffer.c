#include "codec/wire/buffer.h"
