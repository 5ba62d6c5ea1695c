#!/usr/bin/python3
"""TLS as a client meets it: certificates good and bad, a session, ends of every kind, and what the log says of strangers."""
import os
import socket
import ssl
import tempfile
import unittest
import unittest.mock

from wire import CLOSE, WAIT_S, Mock, Peer


class TlsPeer(Peer):
    def __init__(self, mock, host="localhost"):
        super().__init__(mock.port)
        context = ssl.create_default_context(cafile=mock.ready.get("ca"))
        context.set_alpn_protocols(["h2", "http/1.1"])
        try:
            self.socket = context.wrap_socket(self.socket, server_hostname=host)
        except BaseException:
            self.socket.close()
            raise


def said_in_the_end(mock, words):
    """Ends the mock and returns what it said, which has those words."""
    mock.process.terminate()
    mock.process.wait(WAIT_S)
    said = mock.said()
    assert words in said, said
    return said


class Tls(unittest.TestCase):
    def test_a_session_is_served_over_it(self):
        with Mock("--tls") as mock:
            self.assertTrue(mock.ready["url"].startswith("wss://"))
            for host in "localhost", "127.0.0.1":
                with TlsPeer(mock, host) as peer:
                    self.assertIn(peer.socket.version(), ("TLSv1.2", "TLSv1.3"))
                    self.assertEqual(peer.socket.selected_alpn_protocol(), "http/1.1")
                    self.assertEqual(peer.upgrade().status, 101)
                    self.assertEqual(peer.json()["type"], "sessionReady")
                    peer.speak(20)
                    peer.until_speech(20)
                    peer.pong()
                    peer.send_frame(CLOSE, b"\x03\xe8")
                    self.assertEqual(peer.end(), "fin")

    def test_the_ca_file_leaves_with_the_mock(self):
        with Mock("--tls") as mock:
            ca = mock.ready["ca"]
            self.assertTrue(os.path.exists(ca))
        self.assertFalse(os.path.exists(ca))

    def test_the_ca_file_of_a_mock_that_was_killed_leaves_with_the_next_and_no_other(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, TMPDIR=folder):
            with Mock("--tls") as living:
                killed = Mock("--tls")
                killed.process.kill()
                killed.process.wait(WAIT_S)
                killed.process.stdout.close()
                killed.errors.close()
                self.assertEqual(len(os.listdir(folder)), 2)
                with Mock("--tls") as next_one:
                    for mock, stands in (killed, False), (living, True), (next_one, True):
                        self.assertEqual(os.path.exists(mock.ready["ca"]), stands)
            self.assertEqual(os.listdir(folder), [])

    def test_a_faulty_certificate_is_refused_by_a_client_that_looks(self):
        for fault, reason in (
            ("expired", "expired"),
            ("not-yet-valid", "not yet valid"),
            ("self-signed", "self-signed"),
            ("wrong-host", "ostname mismatch"),
        ):
            with self.subTest(fault), Mock(f"--tls={fault}") as mock:
                with self.assertRaises(ssl.SSLCertVerificationError) as caught:
                    TlsPeer(mock)
                self.assertIn(reason, str(caught.exception))

    def test_the_log_says_why_a_handshake_came_to_nothing(self):
        with Mock("--tls") as mock:
            stranger = socket.create_connection(("127.0.0.1", mock.port), WAIT_S)
            with self.assertRaises(ssl.SSLCertVerificationError):
                ssl.create_default_context().wrap_socket(stranger, server_hostname="localhost")
            with Peer(mock.port) as plain:
                plain.ask()
                self.assertIn(plain.end(), ("fin", "reset"))
            self.assertIn("does not trust the certificate", said_in_the_end(mock, "plain HTTP to a TLS port"))

    def test_a_reset_is_one_over_tls_too(self):
        for step, how in ("reset", "reset"), ("drop", "fin"):
            with self.subTest(step), Script(f"accept\nsend ready\n{step}") as script, Mock("--tls", "--script", script) as mock:
                with TlsPeer(mock) as peer:
                    self.assertEqual(peer.upgrade().status, 101)
                    self.assertEqual(peer.json()["type"], "sessionReady")
                    # Python's TLS takes a reset for an end in order, so it is read without it.
                    peer.socket = socket.socket(fileno=peer.socket.detach())
                    peer.socket.settimeout(WAIT_S)
                    self.assertEqual(peer.end(), how)


class Script:
    """A script file with that server block."""

    def __init__(self, steps):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".session")
        self.file.write('case x/y/z\ntitle "t"\nserver {\n' + steps + "\n}\n")
        self.file.flush()

    def __enter__(self):
        return self.file.name

    def __exit__(self, *_):
        self.file.close()


if __name__ == "__main__":
    unittest.main()
