#define _GNU_SOURCE
#include "conformance/fuzz/host/ledger.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <uv.h>

uint64_t ledger_now_us(void)
{
    return uv_hrtime() / 1000;
}

/* ---- its life ---- */

static bool lock_init(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attributes;
    if (pthread_mutexattr_init(&attributes) != 0)
        return false;
    const bool good = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
                      pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
                      pthread_mutex_init(lock, &attributes) == 0;
    pthread_mutexattr_destroy(&attributes);
    return good;
}

struct fuzz_ledger *ledger_new(const struct fuzzer_options *options)
{
    struct fuzz_ledger *ledger =
        mmap(NULL, sizeof *ledger, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (ledger == MAP_FAILED)
        return NULL;
    if (!lock_init(&ledger->lock)) {
        munmap(ledger, sizeof *ledger);
        return NULL;
    }
    ledger->next = options->first;
    ledger->end = options->cases_max > 0 ? options->first + options->cases_max : UINT64_MAX;
    ledger->time_max_us = options->time_max_us;
    ledger->until_found = options->until_found;
    return ledger;
}

void ledger_free(struct fuzz_ledger *ledger)
{
    if (ledger == NULL)
        return;
    pthread_mutex_destroy(&ledger->lock);
    munmap(ledger, sizeof *ledger);
}

void ledger_lock(struct fuzz_ledger *ledger)
{
    if (pthread_mutex_lock(&ledger->lock) == EOWNERDEAD)
        pthread_mutex_consistent(&ledger->lock);
}

void ledger_unlock(struct fuzz_ledger *ledger)
{
    pthread_mutex_unlock(&ledger->lock);
}

/* ---- what is to be played ---- */

void ledger_fail(struct fuzz_ledger *ledger, const char *sentence)
{
    ledger_lock(ledger);
    if (ledger->result.error[0] == '\0')
        snprintf(ledger->result.error, sizeof ledger->result.error, "%s", sentence);
    ledger->broken = true;
    ledger->stopped = 1;
    ledger_unlock(ledger);
}

/* With the lock. */
static bool is_enough(const struct fuzz_ledger *ledger)
{
    return ledger->stopped != 0 || (ledger->until_found && ledger->result.book.count > 0) ||
           (ledger->time_max_us > 0 && ledger->began_us > 0 &&
            ledger_now_us() - ledger->began_us >= ledger->time_max_us);
}

bool ledger_is_enough(struct fuzz_ledger *ledger)
{
    ledger_lock(ledger);
    const bool enough = is_enough(ledger);
    ledger_unlock(ledger);
    return enough;
}

uint64_t ledger_last_us(struct fuzz_ledger *ledger)
{
    ledger_lock(ledger);
    const bool bounded = ledger->time_max_us > 0 && ledger->began_us > 0;
    const uint64_t last_us =
        bounded ? ledger->began_us + ledger->time_max_us + LEDGER_OVERTIME_US : UINT64_MAX;
    ledger_unlock(ledger);
    return last_us;
}

bool ledger_take(struct fuzz_ledger *ledger, uint64_t most, uint64_t *first, uint64_t *end)
{
    ledger_lock(ledger);
    if (ledger->began_us == 0)
        ledger->began_us = ledger_now_us();
    const uint64_t left = is_enough(ledger) ? 0 : ledger->end - ledger->next;
    *first = ledger->next;
    ledger->next += left < most ? left : most;
    *end = ledger->next;
    ledger_unlock(ledger);
    return left > 0;
}

/* ---- what came of it ---- */

void ledger_count(struct fuzz_ledger *ledger, uint64_t *number, uint64_t more)
{
    ledger_lock(ledger);
    *number += more;
    ledger_unlock(ledger);
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261U;
    for (; *text != '\0'; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619U;
    return hash == 0 ? 1 : hash;
}

static void note_situation(struct fuzz_ledger *ledger, uint32_t hash)
{
    size_t at = hash % LEDGER_SITUATIONS_MAX;
    while (ledger->situations[at] != 0 && ledger->situations[at] != hash)
        at = (at + 1) % LEDGER_SITUATIONS_MAX;
    if (ledger->situations[at] == hash || ledger->result.situations + 1 == LEDGER_SITUATIONS_MAX)
        return;
    ledger->situations[at] = hash;
    ledger->result.situations++;
}

void ledger_note_situations(struct fuzz_ledger *ledger, const struct fuzz_session *session)
{
    ledger_lock(ledger);
    for (size_t i = 0; i < session->step_count; i++)
        note_situation(ledger, hash_of(session->steps[i].label));
    ledger_unlock(ledger);
}

bool ledger_knows(struct fuzz_ledger *ledger, const struct fuzz_outcome *outcome)
{
    ledger_lock(ledger);
    const bool known = fuzz_book_count(&ledger->result.book, outcome) != NULL;
    ledger_unlock(ledger);
    return known;
}

struct fuzz_finding *ledger_add(struct fuzz_ledger *ledger, const struct fuzz_outcome *outcome)
{
    struct fuzz_finding *finding = NULL;
    ledger_lock(ledger);
    if (!ledger->until_found || ledger->result.book.count == 0)
        finding = fuzz_book_add(&ledger->result.book, outcome);
    ledger_unlock(ledger);
    return finding;
}
