#include "codec/ojin/frame.h"
