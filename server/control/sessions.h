/*
 * What is known of each session of a stage, from its journal: the open ones and those of the recent past.
 * Audio is kept up to a bound for each session and one for all; what is older goes first.
 */
#ifndef SERVER_CONTROL_SESSIONS_H
#define SERVER_CONTROL_SESSIONS_H

#include "server/control/counts.h"
#include "server/journal/journal.h"
#include "server/net/mock_server.h"

enum {
    SESSIONS_OVER_MAX = 128, /* remembered after their end */
    SESSION_AUDIO_BYTES_MAX = 2 * 1024 * 1024,
    SESSIONS_AUDIO_BYTES_MAX = 16 * 1024 * 1024,
    SESSION_CONFIG_MAX = 128,
    SESSION_ID_MAX = 64
};

struct session_record {
    struct session_record *next; /* the highest number first */
    const struct mock_service *service;
    const struct session_class *class; /* of its family */
    uint32_t number;
    uint64_t begun_us;
    bool is_over;
    uint64_t over_us;
    char peer[64];
    char path[MOCK_SERVICE_PATH_MAX];
    char config_id[SESSION_CONFIG_MAX]; /* as the client asked for it; cut */
    char session_id[SESSION_ID_MAX];    /* as the client was told; cut; empty: it was not */
    uint16_t refused;                   /* with this status; 0: not */
    bool accepted;
    uint16_t close_from_client, close_from_server; /* 0: none yet */
    bool has_input;
    char params[SESSION_PARAMS_TEXT_MAX]; /* of the latest audio message, a JSON object; empty: it had none */
    struct counts received, sent;
    uint64_t findings, notes;
    struct buffer audio;
    uint64_t audio_bytes; /* received */
};

enum { SESSIONS_QUICK = 1024 };

struct session_list {
    struct session_record *first;
    struct session_record *quick[SESSIONS_QUICK]; /* the latest found, by number */
    size_t over_count;
    size_t added;
    size_t audio_bytes; /* kept of all */
};

void session_list_free(struct session_list *list);
/* Forgets those that are over. */
void session_list_clear(struct session_list *list);
/* Takes an entry in; `service` tells whose peer it is. */
void session_list_entry(struct session_list *list, const struct mock_service *service,
                        const struct journal_entry *entry);
const struct session_record *session_list_find(struct session_list *list, uint32_t number);
/* Some end without a word on the wire: those that their service does not have any more are over. */
void session_list_settle(struct session_list *list, uint64_t now_us);

#endif
