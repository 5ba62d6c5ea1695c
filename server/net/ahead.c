/*
 * Long messages are read on a thread beside the loop, so that other sessions keep their pace: megabytes of
 * base64 and of JSON take tens of milliseconds. One thread for all, in the order in which messages came; of a
 * connection one message at a time, and what comes behind it waits in its socket. So what waits is bounded by
 * the connections, and by the room for messages.
 *
 * Without a thread, which takes memory, such a message is read in its turn, as the short ones are.
 */
#include <stdlib.h>

#include "server/net/net.h"

enum {
    LONG_BYTES = 96 * 1024, /* a second of sound in an append, which is 85 KB, is not worth the way */
    MANY_VALUES = 4096,     /* that are parsed: shorter messages of them are long, too */
    STACK_BYTES = 2 * 1024 * 1024
};

struct ahead_job {
    struct ahead_job *next;
    struct connection *connection; /* NULL: it is over. Of the loop's thread alone, as is … */
    ahead_turn *turn;              /* … who takes the message */
    const struct session_class *class;
    const struct profile *profile;
    struct ws_message message;
    struct wire_event event; /* its data lie in `message` */
    void *reading;
};

struct queue {
    struct ahead_job *first;
    struct ahead_job *last;
};

struct ahead {
    struct mock_server *server;
    uv_async_t done_handle;
    uv_thread_t thread;
    bool has_thread;
    uv_mutex_t lock; /* of what stands below */
    uv_cond_t changed;
    struct queue todo;
    struct queue done;
    bool ending;
};

/* ---- queues ---- */

static void queue_put(struct queue *queue, struct ahead_job *job)
{
    job->next = NULL;
    *(queue->last == NULL ? &queue->first : &queue->last->next) = job;
    queue->last = job;
}

static struct ahead_job *queue_take(struct queue *queue)
{
    struct ahead_job *job = queue->first;
    if (job == NULL)
        return NULL;
    queue->first = job->next;
    if (queue->first == NULL)
        queue->last = NULL;
    return job;
}

/* False: it is not in the queue. */
static bool queue_remove(struct queue *queue, struct ahead_job *job)
{
    struct queue others = {NULL, NULL};
    bool found = false;
    for (struct ahead_job *one; (one = queue_take(queue)) != NULL;) {
        found = found || one == job;
        if (one != job)
            queue_put(&others, one);
    }
    *queue = others;
    return found;
}

static void job_free(struct ahead_job *job)
{
    if (job->reading != NULL)
        job->class->free_ahead(job->reading);
    ws_message_free(&job->message);
    free(job);
}

/* ---- the thread ---- */

static void work(void *context)
{
    struct ahead *ahead = context;
    uv_mutex_lock(&ahead->lock);
    while (!ahead->ending) {
        struct ahead_job *job = queue_take(&ahead->todo);
        if (job == NULL) {
            uv_cond_wait(&ahead->changed, &ahead->lock);
            continue;
        }
        uv_mutex_unlock(&ahead->lock);
        job->reading = job->class->read_ahead(job->profile, job->event.data);
        uv_mutex_lock(&ahead->lock);
        queue_put(&ahead->done, job);
        uv_async_send(&ahead->done_handle);
    }
    uv_mutex_unlock(&ahead->lock);
}

/* ---- on the loop ---- */

static void hand_over(struct ahead_job *job)
{
    struct connection *connection = job->connection;
    struct mock_server *server = connection->server;
    uint64_t since_us = mock_server_now_us(server);
    connection->ahead = NULL;
    job->event.at_us = since_us; /* others were told meanwhile, and times never go back */
    job->event.ahead = job->reading;
    job->turn(connection, &job->event);
    connection_flush(connection);
    transport_hold(connection->transport, false);
    round_spend(server, &since_us);
}

/* One in each round of the loop. */
static void on_done(uv_async_t *handle)
{
    struct ahead *ahead = handle->data;
    uv_mutex_lock(&ahead->lock);
    struct ahead_job *job = queue_take(&ahead->done);
    const bool has_more = ahead->done.first != NULL;
    uv_mutex_unlock(&ahead->lock);
    if (has_more)
        uv_async_send(handle);
    if (job == NULL)
        return;
    if (job->connection != NULL)
        hand_over(job);
    job_free(job);
}

static struct ahead *ahead_new(struct mock_server *server)
{
    struct ahead *ahead = calloc(1, sizeof *ahead);
    if (ahead == NULL)
        return NULL;
    ahead->server = server;
    if (uv_mutex_init(&ahead->lock) != 0) {
        free(ahead);
        return NULL;
    }
    if (uv_cond_init(&ahead->changed) != 0) {
        uv_mutex_destroy(&ahead->lock);
        free(ahead);
        return NULL;
    }
    if (uv_async_init(server->loop, &ahead->done_handle, on_done) != 0) {
        uv_cond_destroy(&ahead->changed);
        uv_mutex_destroy(&ahead->lock);
        free(ahead);
        return NULL;
    }
    ahead->done_handle.data = ahead;
    server->handles++;
    return ahead;
}

static bool thread_is_there(struct mock_server *server)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK_BYTES};
    if (server->ahead == NULL)
        server->ahead = ahead_new(server);
    struct ahead *ahead = server->ahead;
    if (ahead == NULL)
        return false;
    ahead->has_thread = ahead->has_thread || uv_thread_create_ex(&ahead->thread, &options, work, ahead) == 0;
    return ahead->has_thread;
}

static bool has_many_values(struct bytes text)
{
    const uint8_t *at = text.data, *end = text.data + text.len;
    size_t count = 0;
    if (text.len <= MANY_VALUES)
        return false;
    while (count < MANY_VALUES && (at = memchr(at, ',', (size_t)(end - at))) != NULL) {
        at++;
        count++;
    }
    return count == MANY_VALUES;
}

static bool is_long(const struct wire_event *event)
{
    return event->kind == WIRE_EVENT_TEXT && event->message_bytes == event->data.len &&
           (event->data.len > LONG_BYTES || has_many_values(event->data));
}

bool ahead_begin(struct connection *connection, const struct wire_event *event, ahead_turn *turn)
{
    struct mock_server *server = connection->server;
    const struct session_class *class = connection->service->options.engine.session_class;
    if (class->read_ahead == NULL || connection->phase != PHASE_OPEN || !is_long(event) ||
        !thread_is_there(server))
        return false;
    struct ahead_job *job = malloc(sizeof *job);
    if (job == NULL)
        return false;
    *job = (struct ahead_job){.connection = connection,
                              .turn = turn,
                              .class = class,
                              .profile = recorder_profile(connection->recording->recorder),
                              .event = *event};
    ws_endpoint_take_message(connection->endpoint, &job->message);
    ws_endpoint_pause(connection->endpoint);
    transport_hold(connection->transport, true);
    connection->ahead = job;
    uv_mutex_lock(&server->ahead->lock);
    queue_put(&server->ahead->todo, job);
    uv_cond_signal(&server->ahead->changed);
    uv_mutex_unlock(&server->ahead->lock);
    return true;
}

void ahead_leave(struct connection *connection)
{
    struct ahead_job *job = connection->ahead;
    if (job == NULL)
        return;
    struct ahead *ahead = connection->server->ahead;
    connection->ahead = NULL;
    job->connection = NULL;
    uv_mutex_lock(&ahead->lock);
    const bool waits = queue_remove(&ahead->todo, job);
    uv_mutex_unlock(&ahead->lock);
    if (waits)
        job_free(job);
}

void ahead_end(struct mock_server *server, uv_close_cb closed)
{
    struct ahead *ahead = server->ahead;
    if (ahead == NULL)
        return;
    uv_mutex_lock(&ahead->lock);
    ahead->ending = true;
    uv_cond_signal(&ahead->changed);
    uv_mutex_unlock(&ahead->lock);
    if (ahead->has_thread)
        uv_thread_join(&ahead->thread);
    ahead->done_handle.data = server; /* as of the other handles */
    uv_close((uv_handle_t *)&ahead->done_handle, closed);
}

void ahead_free(struct mock_server *server)
{
    struct ahead *ahead = server->ahead;
    if (ahead == NULL)
        return;
    for (struct ahead_job *job; (job = queue_take(&ahead->todo)) != NULL;)
        job_free(job);
    for (struct ahead_job *job; (job = queue_take(&ahead->done)) != NULL;)
        job_free(job);
    uv_cond_destroy(&ahead->changed);
    uv_mutex_destroy(&ahead->lock);
    free(ahead);
    server->ahead = NULL;
}
