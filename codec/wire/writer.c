#include "codec/wire/writer.h"
