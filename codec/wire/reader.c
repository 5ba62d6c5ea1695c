#include "codec/wire/reader.h"
