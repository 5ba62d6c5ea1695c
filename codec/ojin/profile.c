#include "codec/ojin/profile.h"
