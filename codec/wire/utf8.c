#include "codec/wire/utf8.h"
