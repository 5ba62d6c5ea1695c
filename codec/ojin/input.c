#include "codec/ojin/input.h"
