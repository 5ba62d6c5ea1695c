/* Certificates and streams, with OpenSSL's own client at the other end of a socketpair. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/tls/tls.h"

enum { ROUNDS_MAX = 100000 };

struct rig {
    struct tls *tls;
    struct tls_stream *stream;
    SSL_CTX *context;
    SSL *client;
    int fds[2];
};

static void rig_start(struct rig *rig, const struct tls_options *options, const char *host)
{
    char error[TLS_ERROR_MAX];
    rig->tls = tls_new(options, error);
    ck_assert_msg(rig->tls != NULL, "%s", error);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, rig->fds), 0);
    for (int n = 0; n < 2; n++)
        ck_assert_int_eq(fcntl(rig->fds[n], F_SETFL, O_NONBLOCK), 0);
    rig->stream = tls_stream_new(rig->tls, rig->fds[0]);
    ck_assert_ptr_nonnull(rig->stream);
    rig->context = SSL_CTX_new(TLS_client_method());
    if (tls_ca_file(rig->tls) != NULL)
        ck_assert_int_eq(SSL_CTX_load_verify_locations(rig->context, tls_ca_file(rig->tls), NULL), 1);
    rig->client = SSL_new(rig->context);
    SSL_set_verify(rig->client, SSL_VERIFY_PEER, NULL);
    ck_assert_int_eq(SSL_set1_host(rig->client, host), 1);
    SSL_set_fd(rig->client, rig->fds[1]);
    SSL_set_connect_state(rig->client);
}

static void rig_stop(struct rig *rig)
{
    tls_stream_free(rig->stream);
    SSL_free(rig->client);
    SSL_CTX_free(rig->context);
    tls_free(rig->tls);
    close(rig->fds[0]);
    if (rig->fds[1] >= 0)
        close(rig->fds[1]);
    ERR_clear_error();
}

/* Both sides in turn, until ours is done or has failed. */
static enum tls_result shake_hands(struct rig *rig)
{
    uint8_t byte;
    for (unsigned n = 0; n < ROUNDS_MAX; n++) {
        (void)SSL_do_handshake(rig->client);
        size_t len = sizeof byte;
        enum tls_result result = tls_stream_read(rig->stream, &byte, &len);
        if (result == TLS_FAILED || (tls_stream_is_open(rig->stream) && SSL_is_init_finished(rig->client)))
            return result;
    }
    ck_abort_msg("the handshake comes to no end");
    return TLS_FAILED;
}

static const struct {
    const char *name;
    enum tls_fault fault;
    const char *host;
    long verdict;
    const char *words; /* that the server has for it; "": it went well */
} CASES[] = {
    {"sound", TLS_SOUND, "localhost", X509_V_OK, ""},
    {"sound, by address", TLS_SOUND, "127.0.0.1", X509_V_OK, ""},
    {"sound, by a name asked for", TLS_SOUND, "mock.test", X509_V_OK, ""},
    {"sound, by an address asked for", TLS_SOUND, "10.1.2.3", X509_V_OK, ""},
    {"sound, by another name", TLS_SOUND, "elsewhere.test", X509_V_ERR_HOSTNAME_MISMATCH, "bad certificate"},
    {"expired", TLS_EXPIRED, "localhost", X509_V_ERR_CERT_HAS_EXPIRED, "expired"},
    {"not yet valid", TLS_NOT_YET_VALID, "localhost", X509_V_ERR_CERT_NOT_YET_VALID, "bad certificate"},
    {"self-signed", TLS_SELF_SIGNED, "localhost", X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "unknown CA"},
    {"wrong host", TLS_WRONG_HOST, "localhost", X509_V_ERR_HOSTNAME_MISMATCH, "bad certificate"},
};

START_TEST(test_a_certificate_is_what_was_asked_for)
{
    static const char *const hosts[] = {"mock.test", "10.1.2.3"};
    struct rig rig;
    rig_start(&rig,
              &(struct tls_options){.on = true, .fault = CASES[_i].fault, .hosts = hosts, .host_count = 2},
              CASES[_i].host);
    enum tls_result result = shake_hands(&rig);
    ck_assert_msg(SSL_get_verify_result(rig.client) == CASES[_i].verdict, "%s: verdict %ld", CASES[_i].name,
                  SSL_get_verify_result(rig.client));
    if (CASES[_i].words[0] == '\0')
        ck_assert_int_eq(result, TLS_WANTS_READ);
    else
        ck_assert_msg(strstr(tls_stream_words(rig.stream), CASES[_i].words) != NULL, "%s: \"%s\"",
                      CASES[_i].name, tls_stream_words(rig.stream));
    rig_stop(&rig);
}
END_TEST

START_TEST(test_alpn_is_http_1_1)
{
    static const unsigned char offer[] = {2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    struct rig rig;
    rig_start(&rig, &(struct tls_options){.on = true}, "localhost");
    SSL_set_alpn_protos(rig.client, offer, sizeof offer);
    ck_assert_int_eq(shake_hands(&rig), TLS_WANTS_READ);
    const unsigned char *chosen;
    unsigned len;
    SSL_get0_alpn_selected(rig.client, &chosen, &len);
    ck_assert_uint_eq(len, 8);
    ck_assert_mem_eq(chosen, "http/1.1", 8);
    rig_stop(&rig);
}
END_TEST

/* In parts as of frames: a header, and a payload that is longer than a record or not. */
static enum tls_result write_some(struct rig *rig, struct bytes data, size_t *len)
{
    static const size_t LENGTHS[] = {10, 81920, 2, 100, 10, 400000};
    enum { PARTS = sizeof LENGTHS / sizeof LENGTHS[0] };
    struct bytes parts[PARTS];
    size_t count = 0;
    while (data.len > 0 && count < PARTS) {
        const size_t taken = data.len < LENGTHS[count] ? data.len : LENGTHS[count];
        parts[count++] = bytes_of(data.data, taken);
        data = bytes_of(data.data + taken, data.len - taken);
    }
    return tls_stream_write(rig->stream, parts, count, len);
}

START_TEST(test_bytes_pass_both_ways_until_the_end)
{
    enum { SIZE = 3000000 }; /* many times what leaves by one write or waits in the socket */
    struct rig rig;
    rig_start(&rig, &(struct tls_options){.on = true}, "localhost");
    shake_hands(&rig);
    uint8_t *sent = malloc(SIZE), *got = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++)
        sent[i] = (uint8_t)(i * 7 >> 3);
    size_t out = 0, in = 0;
    for (unsigned n = 0; n < ROUNDS_MAX && in < SIZE; n++) {
        size_t len = SIZE - out;
        if (out < SIZE && write_some(&rig, bytes_of(sent + out, len), &len) == TLS_DONE)
            out += len;
        int read = SSL_read(rig.client, got + in, (int)(SIZE - in));
        if (read > 0)
            in += (size_t)read;
    }
    ck_assert_uint_eq(in, SIZE);
    ck_assert_mem_eq(got, sent, SIZE);
    ck_assert_int_eq(SSL_write(rig.client, "abc", 3), 3);
    size_t len = SIZE;
    ck_assert_int_eq(tls_stream_read(rig.stream, got, &len), TLS_DONE);
    ck_assert_uint_eq(len, 3);
    tls_stream_finish(rig.stream);
    ck_assert_int_eq(SSL_read(rig.client, got, 1), 0);
    ck_assert_int_eq(SSL_get_error(rig.client, 0), SSL_ERROR_ZERO_RETURN);
    SSL_shutdown(rig.client);
    len = SIZE;
    ck_assert_int_eq(tls_stream_read(rig.stream, got, &len), TLS_ENDED);
    free(sent);
    free(got);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_what_waits_may_leave_by_a_read_and_is_there_once)
{
    enum { SIZE = 1000000 }; /* more than the socket takes at once */
    struct rig rig;
    uint8_t byte;
    rig_start(&rig, &(struct tls_options){.on = true}, "localhost");
    shake_hands(&rig);
    uint8_t *sent = malloc(SIZE), *got = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++)
        sent[i] = (uint8_t)(i * 7 >> 3);
    size_t out = 0, in = 0, waited = 0;
    for (unsigned n = 0; n < ROUNDS_MAX && in < SIZE; n++) {
        size_t len = SIZE - out;
        if (out < SIZE && write_some(&rig, bytes_of(sent + out, len), &len) == TLS_DONE)
            out += len;
        /* The socket is emptied and the server reads before it writes again, until nothing waits any more. */
        for (int read = 1; read > 0 && in < SIZE;) {
            len = 1;
            waited += tls_stream_read(rig.stream, &byte, &len) == TLS_WANTS_WRITE;
            read = SSL_read(rig.client, got + in, (int)(SIZE - in));
            in += read > 0 ? (size_t)read : 0;
        }
    }
    ck_assert_uint_gt(waited, 0);
    ck_assert_uint_eq(in, SIZE);
    ck_assert_mem_eq(got, sent, SIZE);
    for (size_t len = SIZE - out; out < SIZE; len = SIZE - out) {
        ck_assert_int_eq(write_some(&rig, bytes_of(sent + out, len), &len), TLS_DONE);
        out += len;
    }
    ck_assert_int_eq(SSL_read(rig.client, got, 1), -1); /* and nothing comes behind it */
    free(sent);
    free(got);
    rig_stop(&rig);
}
END_TEST

/* Writes until the client's socket is full. */
static void write_all_it_takes(struct rig *rig)
{
    static const uint8_t zeros[100000];
    const struct bytes part = bytes_of(zeros, sizeof zeros);
    size_t len;
    for (unsigned n = 0; n < ROUNDS_MAX && tls_stream_write(rig->stream, &part, 1, &len) == TLS_DONE; n++)
        continue;
}

static void client_leave(struct rig *rig)
{
    close(rig->fds[1]);
    rig->fds[1] = -1;
    SSL_set_quiet_shutdown(rig->client, 1);
}

START_TEST(test_what_came_is_read_after_a_write_has_failed)
{
    uint8_t got[16];
    const struct bytes part = bytes_of_text("to nobody");
    for (int full = 0; full < 2; full++) {
        struct rig rig;
        size_t len;
        rig_start(&rig, &(struct tls_options){.on = true}, "localhost");
        ck_assert_int_eq(shake_hands(&rig), TLS_WANTS_READ);
        ck_assert_int_eq(SSL_write(rig.client, "good", 4), 4);
        ck_assert_int_eq(SSL_write(rig.client, "bye", 3), 3);
        if (full)
            write_all_it_takes(&rig);
        client_leave(&rig);
        if (!full)
            ck_assert_int_eq(tls_stream_write(rig.stream, &part, 1, &len), TLS_FAILED);
        len = sizeof got;
        ck_assert_int_eq(tls_stream_read(rig.stream, got, &len), TLS_DONE);
        ck_assert_uint_eq(len, 4);
        len = sizeof got;
        ck_assert_int_eq(tls_stream_read(rig.stream, got, &len), TLS_DONE);
        ck_assert_uint_eq(len, 3);
        len = sizeof got;
        ck_assert_int_eq(tls_stream_read(rig.stream, got, &len), TLS_FAILED);
        ck_assert_int_eq(tls_stream_write(rig.stream, &part, 1, &len), TLS_FAILED);
        rig_stop(&rig);
    }
}
END_TEST

START_TEST(test_what_one_stream_cannot_say_no_other_says)
{
    struct rig rig;
    uint8_t byte;
    size_t len = 1;
    int fds[2];
    ssize_t got;
    rig_start(&rig, &(struct tls_options){.on = true}, "localhost");
    ck_assert_int_eq(shake_hands(&rig), TLS_WANTS_READ);
    write_all_it_takes(&rig);
    ck_assert_int_eq(write(rig.fds[1], "no record of TLS", 16), 16); /* for which there is an alert */
    client_leave(&rig);
    ck_assert_int_eq(tls_stream_read(rig.stream, &byte, &len), TLS_FAILED);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    for (int n = 0; n < 2; n++)
        ck_assert_int_eq(fcntl(fds[n], F_SETFL, O_NONBLOCK), 0);
    struct tls_stream *other = tls_stream_new(rig.tls, fds[0]);
    ck_assert_int_eq(tls_stream_read(other, &byte, &(size_t){1}), TLS_WANTS_READ);
    got = recv(fds[1], &byte, 1, 0);
    ck_assert_int_eq(got, -1);
    ck_assert_int_eq(errno, EAGAIN);
    tls_stream_free(other);
    close(fds[0]);
    close(fds[1]);
    rig_stop(&rig);
}
END_TEST

static const struct {
    const char *name;
    const char *bytes;
    const char *words;
} STRANGERS[] = {
    {"plain HTTP", "GET /realtime HTTP/1.1\r\nHost: a\r\n\r\n", "plain HTTP to a TLS port"},
    {"no TLS at all", "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b", "does not speak TLS"},
    {"nobody", "", "went away before the handshake was done"},
};

START_TEST(test_a_stranger_is_named)
{
    struct rig rig;
    uint8_t byte;
    size_t len = strlen(STRANGERS[_i].bytes);
    rig_start(&rig, &(struct tls_options){.on = true}, "localhost");
    if (len > 0)
        ck_assert_int_eq(write(rig.fds[1], STRANGERS[_i].bytes, len), (ssize_t)len);
    close(rig.fds[1]);
    rig.fds[1] = -1;
    SSL_set_quiet_shutdown(rig.client, 1);
    size_t room = 1;
    ck_assert_int_eq(tls_stream_read(rig.stream, &byte, &room), TLS_FAILED);
    ck_assert_msg(strstr(tls_stream_words(rig.stream), STRANGERS[_i].words) != NULL, "%s: \"%s\"",
                  STRANGERS[_i].name, tls_stream_words(rig.stream));
    rig_stop(&rig);
}
END_TEST

START_TEST(test_the_authority_leaves_with_its_maker)
{
    char error[TLS_ERROR_MAX], path[512];
    struct tls *tls = tls_new(&(struct tls_options){.on = true}, error);
    ck_assert_ptr_nonnull(tls);
    snprintf(path, sizeof path, "%s", tls_ca_file(tls));
    ck_assert_int_eq(access(path, R_OK), 0);
    tls_free(tls);
    ck_assert_int_eq(access(path, F_OK), -1);
    *strrchr(path, '/') = '\0';
    ck_assert_int_eq(access(path, F_OK), -1);
}
END_TEST

static const struct {
    const char *name;
    struct tls_options options;
    const char *error;
} WRONG[] = {
    {"no such certificate", {.cert_file = "/nowhere/c.pem"}, "cannot read the certificate /nowhere/c.pem"},
    {"no such key",
     {.cert_file = "/dev/null", .key_file = "/nowhere/k.pem"},
     "cannot read the key /nowhere/k.pem"},
    {"no certificate in it", {.cert_file = "/dev/null"}, "/dev/null holds no certificate"},
    {"no host name", {.hosts = (const char *const[]){"a,IP:1.2.3.4"}, .host_count = 1}, "host names"},
};

START_TEST(test_what_cannot_be_is_said)
{
    char error[TLS_ERROR_MAX];
    ck_assert_ptr_null(tls_new(&WRONG[_i].options, error));
    ck_assert_msg(strstr(error, WRONG[_i].error) != NULL, "%s: \"%s\"", WRONG[_i].name, error);
}
END_TEST

START_TEST(test_faults_have_names)
{
    for (int n = TLS_SOUND; n <= TLS_WRONG_HOST; n++) {
        enum tls_fault fault;
        ck_assert(tls_fault_by_name(bytes_of_text(tls_fault_name((enum tls_fault)n)), &fault));
        ck_assert_int_eq(fault, n);
        if (n != TLS_SOUND)
            ck_assert_ptr_nonnull(strstr(tls_fault_names(), tls_fault_name(fault)));
    }
    enum tls_fault fault;
    ck_assert(!tls_fault_by_name(bytes_of_text("rotten"), &fault));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tls");
    TCase *tls = tcase_create("tls");
    tcase_set_timeout(tls, 60);
    tcase_add_loop_test(tls, test_a_certificate_is_what_was_asked_for, 0,
                        (int)(sizeof CASES / sizeof CASES[0]));
    tcase_add_test(tls, test_alpn_is_http_1_1);
    tcase_add_test(tls, test_bytes_pass_both_ways_until_the_end);
    tcase_add_test(tls, test_what_waits_may_leave_by_a_read_and_is_there_once);
    tcase_add_test(tls, test_what_came_is_read_after_a_write_has_failed);
    tcase_add_test(tls, test_what_one_stream_cannot_say_no_other_says);
    tcase_add_loop_test(tls, test_a_stranger_is_named, 0, (int)(sizeof STRANGERS / sizeof STRANGERS[0]));
    tcase_add_test(tls, test_the_authority_leaves_with_its_maker);
    tcase_add_loop_test(tls, test_what_cannot_be_is_said, 0, (int)(sizeof WRONG / sizeof WRONG[0]));
    tcase_add_test(tls, test_faults_have_names);
    suite_add_tcase(suite, tls);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
