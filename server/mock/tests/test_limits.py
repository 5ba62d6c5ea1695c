#!/usr/bin/python3
"""Limits, each at its edge and one past it: the handshake's time and size, messages put together from fragments, sessions,
and what waits for a client that does not read. In the clear and inside TLS, as a raw socket sees it."""
import contextlib
import resource
import select
import signal
import socket
import ssl
import tempfile
import time
import unittest
import urllib.request

from wire import BINARY, CONTINUATION, KEY, TEXT, WAIT_S, WS_KEY, Mock, TlsMock, is_frame

HEAD_MAX = 65536
MESSAGE_MAX = 524288
BOTH = Mock, TlsMock


def request(size=None):
    """A request head, of exactly `size` bytes."""
    lines = [
        "GET /realtime?config_id=c HTTP/1.1",
        "Host: mock",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {WS_KEY}",
        f"Authorization: {KEY}",
    ]
    head = "\r\n".join(lines) + "\r\n"
    if size is not None:
        head += "X-Filling: " + "x" * (size - len(head) - len("X-Filling: \r\n\r\n")) + "\r\n"
    return (head + "\r\n").encode()


class Handshake(unittest.TestCase):
    def test_a_head_that_comes_a_byte_at_a_time_has_its_time_and_no_more(self):
        for kind in BOTH:
            with self.subTest(kind.__name__), kind("--speed", "20") as mock, mock.peer() as peer:
                tcp = getattr(peer.socket, "tcp", peer.socket)
                for byte in request()[:-1] * 100:  # each of them a sign of life, and none buys more time
                    peer.send(bytes([byte]))
                    if select.select([tcp], [], [], 0.01)[0]:
                        break
                response = peer.response()
                self.assertEqual(response.status, 408)
                self.assertIn(b"did not come whole in time", response.body)
                self.assertIn(peer.end(), ("fin", "reset"))

    def test_a_head_that_comes_a_byte_at_a_time_within_it_is_let_in(self):
        for kind in BOTH:
            with self.subTest(kind.__name__), kind() as mock, mock.peer() as peer:
                for byte in request():
                    peer.send(bytes([byte]))
                self.assertEqual(peer.response().status, 101)
                self.assertEqual(peer.json()["type"], "sessionReady")

    def test_what_came_in_time_counts_however_late_the_mock_reads_it(self):
        with Mock("--speed", "4") as mock, mock.peer() as peer:
            with urllib.request.urlopen(f"http://127.0.0.1:{mock.port}/__mock/health", timeout=WAIT_S) as answer:
                self.assertEqual(answer.status, 200)  # the peer has been accepted
            mock.process.send_signal(signal.SIGSTOP)
            peer.send(request())
            time.sleep(3)  # the time of the handshake is over
            mock.process.send_signal(signal.SIGCONT)
            self.assertEqual(peer.response().status, 101)

    def test_who_says_nothing_is_let_go(self):
        with TlsMock("--speed", "20") as mock:
            with mock.peer() as peer:  # not even a request after the handshake of TLS
                self.assertEqual(peer.end(), "fin")
            with socket.create_connection(("127.0.0.1", mock.port), WAIT_S) as silent:
                self.assertEqual(silent.recv(1), b"")

    def test_the_size_of_the_head(self):
        for kind in BOTH:
            with kind() as mock:
                for size, status in ((HEAD_MAX, 101), (HEAD_MAX + 1, 431), (2 * HEAD_MAX, 431)):
                    with self.subTest(kind=kind.__name__, size=size), mock.peer() as peer:
                        peer.send(request(size))
                        response = peer.response()
                        self.assertEqual(response.status, status)
                        if status == 431:
                            self.assertEqual(response.body, b"The request head is too large.\n")
                        else:
                            self.assertEqual(peer.json()["type"], "sessionReady")


class Messages(unittest.TestCase):
    def test_a_message_put_together_from_fragments(self):
        for kind in BOTH:
            with kind() as mock, mock.session("c") as peer:
                self.assertEqual(peer.json()["type"], "sessionReady")
                for size, code in (
                    (MESSAGE_MAX, "INVALID_MESSAGE"),
                    (MESSAGE_MAX + 1, "FRAME_SIZE_EXCEEDED"),
                    (20 * MESSAGE_MAX, "FRAME_SIZE_EXCEEDED"),
                ):
                    with self.subTest(kind=kind.__name__, size=size):
                        piece = 60001
                        sizes = [piece] * (size // piece) + [size % piece]
                        for n, part in enumerate(sizes):
                            peer.send_frame(BINARY if n == 0 else CONTINUATION, b"\xff" * part, n + 1 == len(sizes))
                        self.assertEqual(peer.until_error()["code"], code)
                        peer.pong()  # and the session goes on


class Early(unittest.TestCase):
    SCRIPT = "case ojin/test/early\nserver {\n  ignore for=60s\n}\n"

    def test_messages_before_the_answer_are_kept_up_to_a_bound_however_short(self):
        with tempfile.NamedTemporaryFile("w", suffix=".session") as script:
            script.write(self.SCRIPT)
            script.flush()
            for count, is_kept in ((1000, True), (100000, False)):
                with self.subTest(count), Mock("--script", script.name) as mock, mock.peer() as peer:
                    peer.ask()
                    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                        peer.send(bytes((0x80 | TEXT, 0x80, 0, 0, 0, 0)) * count)
                    if is_kept:
                        self.assertTrue(peer.silent_for(1))
                    else:
                        self.assertEqual(peer.end(), "reset")

    def test_a_long_message_right_after_the_answer_is_one_like_any_other(self):
        """It can be there before the mock's next look at its sessions, which comes some milliseconds later."""
        for kind in BOTH:
            with self.subTest(kind.__name__), kind("--size", "1280x720") as mock:
                for _ in range(20):
                    with mock.peer() as peer:
                        self.assertEqual(peer.upgrade().status, 101)
                        peer.send_frame(BINARY, b"\xff" * 140000)
                        self.assertEqual(peer.json()["type"], "sessionReady")
                        self.assertEqual(peer.until_error()["code"], "INVALID_MESSAGE")


class Sessions(unittest.TestCase):
    def test_one_more_than_there_is_room_for(self):
        for kind in BOTH:
            with self.subTest(kind.__name__), kind("--sessions", "2") as mock:
                with mock.session("c") as first, mock.session("c") as second:
                    for peer in first, second:
                        self.assertEqual(peer.json()["type"], "sessionReady")
                    with mock.peer() as third:
                        response = third.upgrade()
                        self.assertEqual((response.status, response.headers["retry-after"]), (503, "1"))
                        self.assertEqual(response.body, b"Too many sessions are open.\n")
                        self.assertEqual(third.end(), "fin")
                    second.answer_close()
                    self.assertEqual(second.end(), "fin")
                    while True:  # the mock may learn of the end after us
                        with mock.peer() as fourth:
                            if fourth.upgrade().status == 101:
                                self.assertEqual(fourth.json()["type"], "sessionReady")
                                break
                    first.pong()


    def test_who_asks_for_nothing_takes_no_place(self):
        for kind in BOTH:
            with self.subTest(kind.__name__), kind("--sessions", "1") as mock:
                with mock.peer(), mock.peer() as slow:
                    slow.send(request()[:40])
                    with mock.session("c") as peer:
                        self.assertEqual(peer.json()["type"], "sessionReady")
                        with mock.peer() as second:
                            self.assertEqual(second.upgrade().status, 503)
                        peer.pong()


class Connections(unittest.TestCase):
    """The sockets themselves, of which 2048 + 64 have a place."""

    def setUp(self):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most if most < 8192 else 8192, most))

    def test_who_has_no_place_is_told_and_the_control_interface_answers(self):
        with Mock() as mock, contextlib.ExitStack() as idle:
            for _ in range(2048 + 64):
                idle.enter_context(mock.peer())
            health = f"http://127.0.0.1:{mock.port}/__mock/health"
            with urllib.request.urlopen(health, timeout=WAIT_S) as answer:  # all before it have been accepted
                self.assertEqual(answer.status, 200)
            with mock.peer() as late:
                response = late.upgrade()
                self.assertEqual((response.status, response.headers["retry-after"]), (503, "1"))
                self.assertEqual(response.body, b"Too many connections are open.\n")
            # Those that keep the places of the control interface lose them soon: what counts is that the next is told.
            for _ in range(20):
                with contextlib.ExitStack() as more:
                    peers = [more.enter_context(mock.peer()) for _ in range(40)]
                    said = peers[-1].socket.recv(1000)
                if said:
                    break
            self.assertTrue(said.startswith(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"), said)
            head, body = said.split(b"\r\n\r\n", 1)
            self.assertIn(b"Content-Length: %d\r\n" % len(body), head)

    def test_who_came_first_gets_in_however_many_came_before_the_first_was_read(self):
        with Mock() as mock, contextlib.ExitStack() as held:
            peers = [held.enter_context(mock.peer()) for _ in range(2048 + 64)]
            with urllib.request.urlopen(f"http://127.0.0.1:{mock.port}/__mock/health", timeout=WAIT_S) as answer:
                self.assertEqual(answer.status, 200)  # all before it have been accepted
            mock.process.send_signal(signal.SIGSTOP)  # what comes now is there in this order when it goes on
            late = [held.enter_context(mock.peer()) for _ in range(20)]
            first = peers[-40:]
            for peer in late + first:
                peer.send(request())
            mock.process.send_signal(signal.SIGCONT)
            self.assertEqual([peer.response().status for peer in first], [101] * len(first))
            for peer in late:
                response = peer.response()
                self.assertEqual((response.status, response.headers["retry-after"]), (503, "1"))
                self.assertEqual(response.body, b"Too many connections are open.\n")
            held.close()
            while True:  # the places are free again, once the mock has seen that they have left
                with mock.peer() as again:
                    if again.upgrade().status == 101:
                        break

    def test_what_a_crowd_took_is_given_back_when_it_leaves(self):
        """All but the last, which lie behind the others in memory."""
        with Mock() as mock, contextlib.ExitStack() as stay, contextlib.ExitStack() as leave:
            at_first = mock.resident_bytes()
            for stack, count in ((leave, 800), (stay, 10)):
                for _ in range(count):
                    self.assertEqual(stack.enter_context(mock.session("c")).json()["type"], "sessionReady")
            taken = mock.resident_bytes() - at_first
            self.assertGreater(taken, 8 << 20)
            leave.close()
            until = time.monotonic() + WAIT_S
            while mock.resident_bytes() - at_first > taken / 2 and time.monotonic() < until:
                time.sleep(0.1)
            self.assertLess(mock.resident_bytes() - at_first, taken / 2)

    def fill(self, mock, held):
        """All places are taken by clients that say nothing, for as long as the handshake may take."""
        for _ in range(2048 + 64):
            held.enter_context(socket.create_connection(("127.0.0.1", mock.port), WAIT_S))

    def test_inside_tls_who_has_no_place_is_told_as_well(self):
        with TlsMock() as mock, contextlib.ExitStack() as held:
            self.fill(mock, held)
            for _ in range(20):  # those that keep the places of the control interface lose them soon
                with contextlib.ExitStack() as more:
                    for _ in range(40):
                        more.enter_context(socket.create_connection(("127.0.0.1", mock.port), WAIT_S))
                    try:
                        with mock.peer() as late:
                            response = late.upgrade()
                            self.assertEqual((response.status, response.headers["retry-after"]), (503, "1"))
                            self.assertIn(late.end(), ("fin", "reset"))
                    except (ConnectionError, ssl.SSLError):
                        continue  # closed without a word: too many at once
                if response.body.endswith(b"\r\n"):
                    break
                time.sleep(0.1)
            self.assertEqual(response.body, b"Too many connections are open.\r\n")

    def test_inside_tls_more_than_can_be_told_are_closed_and_the_log_says_so(self):
        with TlsMock() as mock, contextlib.ExitStack() as held:
            self.fill(mock, held)
            for _ in range(10):  # on a slow machine they may come one after another, and then all are told
                silent = [held.enter_context(socket.create_connection(("127.0.0.1", mock.port), WAIT_S)) for _ in range(100)]
                for peer in silent:  # those that are waited for too, each for no more than a second
                    try:
                        self.assertEqual(peer.recv(1), b"")
                    except ConnectionResetError:
                        pass
                if "some are closed without an answer" in mock.said():
                    break
            self.assertEqual(mock.said().count("some are closed without an answer"), 1, mock.said())


class Queue(unittest.TestCase):
    def test_a_client_that_does_not_read_is_ended_and_the_others_are_not(self):
        for kind in BOTH:
            with self.subTest(kind.__name__), kind("--speed", "100", size="1280x720") as mock:
                with mock.session("c") as reader, mock.session("c") as deaf:
                    for peer in reader, deaf:
                        self.assertEqual(peer.json()["type"], "sessionReady")
                        peer.speak(5)
                    end = select.poll()
                    end.register(getattr(deaf.socket, "tcp", deaf.socket), 0)  # its end, not what could be read
                    frames = 0
                    while not end.poll(0):
                        frames += is_frame(reader.any())
                    self.assertGreater(frames, 0)
                    reader.pong()
                mock.process.terminate()
                mock.process.wait(WAIT_S)
                self.assertEqual(mock.said().count("does not read"), 1, mock.said())


if __name__ == "__main__":
    unittest.main()
