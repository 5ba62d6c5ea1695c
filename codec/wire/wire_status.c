#include "codec/wire/wire_status.h"

const char *wire_status_name(enum wire_status status)
{
    switch (status) {
#define WIRE_STATUS(enumerator, wire_name, sentence)                                                         \
    case WIRE_##enumerator:                                                                                  \
        return wire_name;
#include "codec/wire/wire_status.def"
#undef WIRE_STATUS
    }
    return "?";
}

const char *wire_status_sentence(enum wire_status status)
{
    switch (status) {
#define WIRE_STATUS(enumerator, wire_name, sentence)                                                         \
    case WIRE_##enumerator:                                                                                  \
        return sentence;
#include "codec/wire/wire_status.def"
#undef WIRE_STATUS
    }
    return "?";
}
