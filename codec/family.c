#include "codec/family.h"
