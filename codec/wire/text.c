#include "codec/wire/text.h"
