/* What a seam may do with a message that comes in: see client/ojin/seams.h, client/duplex/seams.h. */
#ifndef CLIENT_CORE_TAKING_H
#define CLIENT_CORE_TAKING_H

enum client_taking {
    CLIENT_TAKE,
    CLIENT_HIDE,   /* the client never hears of the message */
    CLIENT_GIVE_UP /* it closes the session, and says nothing of why */
};

#endif
