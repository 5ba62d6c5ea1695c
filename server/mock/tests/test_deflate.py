#!/usr/bin/python3
"""permessage-deflate: what is agreed on, messages both ways as a raw socket and as Python's websockets see them, and
what cannot be unpacked."""
import asyncio
import json
import os
import ssl
import struct
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
from patient import connect

from test_tls import TlsPeer
from wire import BINARY, CLOSE, CONTINUATION, FRAME_BYTES, INPUT_HEADER, KEY, PING, TEXT, Closed, Mock, decode, is_speech

OFFER = "permessage-deflate; client_max_window_bits"
BOTH = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
TAKEN = "mock.permessage-deflate=taken"
RSV1 = 4
TOO_MUCH = 4 * 524288  # of a message: what is longer is not even counted


def packed(data):
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (pack.compress(data) + pack.flush(zlib.Z_SYNC_FLUSH))[:-4]


def unpacked(data, window_bits=15):
    unpack = zlib.decompressobj(-window_bits)
    return unpack.decompress(data + b"\x00\x00\xff\xff")


def extensions(response):
    return response.headers.get("sec-websocket-extensions")


def offer(*values):
    return [f"Sec-WebSocket-Extensions: {value}" for value in values]


def input_of(samples):
    return INPUT_HEADER.pack(1, 1700000000000, 0) + samples


def next_message(peer):
    """Opcode, and the data as they were before they were compressed."""
    frames = []
    while not frames or not frames[-1].fin:
        frame = peer.frame()
        if frame.opcode == CLOSE:
            raise Closed(frame.payload)
        if frame.opcode < CLOSE:
            frames.append(frame)
    assert [one.rsv for one in frames] == [RSV1] + [0] * (len(frames) - 1), frames
    return frames[0].opcode, unpacked(b"".join(one.payload for one in frames)), len(frames)


def next_json(peer):
    """The next text, past the pictures."""
    while True:
        opcode, data, _ = next_message(peer)
        if opcode == TEXT:
            return json.loads(data)


def send_packed(peer, opcode, data, raw=None):
    """Compressed, in one frame; or those bytes in its place."""
    data = packed(data) if raw is None else raw
    form = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BQ", 0x80 | 127, len(data))
    peer.send(bytes([0x80 | RSV1 << 4 | opcode]) + form + bytes(4) + data)


class Terms(unittest.TestCase):
    def test_what_is_answered_to_an_offer(self):
        with Mock() as mock:
            for offers, answer in (
                ([OFFER], BOTH),
                (["permessage-deflate"], BOTH),
                (["PerMessage-Deflate;client_max_window_bits=9 ; server_no_context_takeover"], BOTH),
                (["permessage-deflate; server_max_window_bits=8"], BOTH + "; server_max_window_bits=8"),
                (['permessage-deflate; server_max_window_bits="15"'], BOTH + "; server_max_window_bits=15"),
                (["x-other, permessage-deflate"], BOTH),
                (["x-other; a=\"permessage-deflate, permessage-deflate\""], None),
                (["x-other", "permessage-deflate"], BOTH),
                (["permessage-deflate; server_max_window_bits=16, permessage-deflate; server_max_window_bits=10"],
                 BOTH + "; server_max_window_bits=10"),
                (["permessage-deflate; server_max_window_bits"], None),
                (["permessage-deflate; server_max_window_bits=7"], None),
                (["permessage-deflate; server_max_window_bits=08"], None),
                (["permessage-deflate; client_max_window_bits=0"], None),
                (["permessage-deflate; client_max_window_bits; client_max_window_bits"], None),
                (["permessage-deflate; server_no_context_takeover=1"], None),
                (["permessage-deflate; level=9"], None),
                (["permessage-deflat"], None),
                ([], None),
            ):
                with self.subTest(offers), mock.peer() as peer:
                    response = peer.upgrade(TAKEN, headers=offer(*offers))
                    self.assertEqual((response.status, extensions(response)), (101, answer))
                    frame = peer.frame()
                    self.assertEqual((frame.opcode, frame.rsv), (TEXT, 0 if answer is None else RSV1))

    def test_nothing_is_said_of_it_without_the_quirk(self):
        with Mock() as mock:
            for card in "c", "mock.permessage-deflate=declined":
                with self.subTest(card), mock.peer() as peer:
                    self.assertIsNone(extensions(peer.upgrade(card, headers=offer(OFFER))))
                    self.assertEqual(peer.json()["type"], "sessionReady")
                    send_packed(peer, TEXT, b"{}")
                    self.assertEqual(peer.close_frame().code, 1002)

    def test_a_client_that_does_not_wait_for_the_answer_is_not_compressed_for(self):
        with Mock() as mock, mock.peer() as peer:
            asked = []
            send, peer.send = peer.send, asked.append
            peer.ask(TAKEN, headers=offer(OFFER))
            peer.send = send
            peer.send(b"".join(asked) + b"\x89\x80" + bytes(4))
            self.assertIsNone(extensions(peer.response()))
            self.assertEqual(peer.json()["type"], "sessionReady")


class Messages(unittest.TestCase):
    def talk(self, peer, bits=None):
        limit = "" if bits is None else f"; server_max_window_bits={bits}"
        response = peer.upgrade(TAKEN, headers=offer("permessage-deflate" + limit))
        self.assertEqual(extensions(response), BOTH + limit)
        frame = peer.frame()
        self.assertEqual((frame.opcode, frame.rsv), (TEXT, RSV1))
        self.assertEqual(json.loads(unpacked(frame.payload, 9 if bits == 8 else bits or 15))["type"], "sessionReady")
        send_packed(peer, BINARY, input_of(bytes(range(256)) * 5 * 20))
        speech = 0
        while speech < 20:
            frame = peer.frame()
            self.assertEqual((frame.opcode, frame.rsv, frame.fin), (BINARY, RSV1, True))
            speech += is_speech(decode(unpacked(frame.payload, 9 if bits == 8 else bits or 15)))
        self.assertEqual(speech, 20)

    def test_a_session_both_ways(self):
        with Mock() as mock:
            for bits in None, 15, 9, 8:
                with self.subTest(bits=bits), mock.peer() as peer:
                    self.talk(peer, bits)
                    peer.send_frame(CLOSE, struct.pack("!H", 1000))
                    with self.assertRaises(Closed) as caught:
                        while True:
                            next_message(peer)
                    self.assertEqual(caught.exception.code, 1000)
                    self.assertEqual(peer.end(), "fin")

    def test_the_same_over_tls(self):
        with Mock("--tls") as mock, TlsPeer(mock) as peer:
            self.talk(peer)

    def test_fragments_and_pings_between_them(self):
        with Mock() as mock, mock.session(TAKEN, headers=offer(OFFER)) as peer:
            self.assertEqual(next_json(peer)["type"], "sessionReady")
            data = packed(input_of(bytes(FRAME_BYTES * 3) + b"\x10\x20" * 6400))
            head, tail = data[: len(data) // 2], data[len(data) // 2 :]
            peer.send(bytes([RSV1 << 4 | BINARY, 0x80 | len(head)]) + bytes(4) + head)
            peer.send_frame(PING, b"between")
            peer.send_frame(CONTINUATION, tail)
            while not is_speech(decode(next_message(peer)[1])):
                pass

    def test_messages_that_are_not_compressed_are_taken_too_and_keep_their_order(self):
        with Mock() as mock, mock.session(TAKEN, headers=offer(OFFER)) as peer:
            self.assertEqual(next_json(peer)["type"], "sessionReady")
            wrong = [f"wrong {n}" for n in range(4)]
            for n, text in enumerate(wrong):
                if n % 2 == 0:
                    peer.send_frame(TEXT, text.encode())
                else:
                    send_packed(peer, TEXT, text.encode())
            for _ in wrong:
                self.assertEqual(next_json(peer)["payload"]["code"], "INVALID_MESSAGE")

    def test_our_fragments_carry_the_bit_on_the_first_alone(self):
        card = "mock.permessage-deflate=taken+fragments=500"
        with Mock() as mock, mock.session(card, headers=offer(OFFER)) as peer:
            self.assertEqual(next_json(peer)["type"], "sessionReady")
            peer.speak(20)
            opcode, data, frames = next_message(peer)
            self.assertEqual(opcode, BINARY)
            self.assertGreater(frames, 1)
            self.assertEqual(decode(data).count, 2)

    def test_a_client_of_many_uses(self):
        async def talk(mock, path, context=None):
            url = f"{mock.ready['url']}?config_id={TAKEN}"
            async with connect(
                url, compression="deflate", ssl=context, extra_headers={"Authorization": KEY}
            ) as socket:
                self.assertEqual([one.name for one in socket.extensions], ["permessage-deflate"])
                self.assertEqual(json.loads(await socket.recv())["type"], "sessionReady")
                await socket.send(input_of(bytes(range(256)) * 5 * 20))
                speech = 0
                while speech < 20:
                    message = await socket.recv()
                    speech += isinstance(message, bytes) and is_speech(decode(message))
                await (await socket.ping(b"there?"))
            self.assertEqual(socket.close_code, 1000)

        with Mock() as mock:
            asyncio.run(talk(mock, "/realtime"))
        with Mock("--tls") as mock:
            asyncio.run(talk(mock, "/realtime", ssl.create_default_context(cafile=mock.ready["ca"])))


class Limits(unittest.TestCase):
    def ended(self, data=b"", raw=None, opcode=BINARY):
        with Mock() as mock, mock.session(TAKEN, headers=offer(OFFER)) as peer:
            self.assertEqual(next_json(peer)["type"], "sessionReady")
            send_packed(peer, opcode, data, raw)
            try:
                return next_json(peer)["payload"]["code"]
            except Closed as closed:
                peer.answer_close(closed.code)
                self.assertEqual(peer.end(), "fin")
                return closed.code

    def test_a_message_at_each_limit_and_one_past_it(self):
        for size, outcome in (
            (524288, "INVALID_MESSAGE"),  # that is no message, but it is read
            (524289, "FRAME_SIZE_EXCEEDED"),
            (TOO_MUCH, "FRAME_SIZE_EXCEEDED"),
            (TOO_MUCH + 1, "FRAME_SIZE_EXCEEDED"),
            (200 << 20, "FRAME_SIZE_EXCEEDED"),
        ):
            with self.subTest(size):
                self.assertEqual(self.ended(b"x" * size, opcode=TEXT if size == 524288 else BINARY), outcome)

    def test_the_session_goes_on_after_what_is_too_much(self):
        with Mock() as mock, mock.session(TAKEN, headers=offer(OFFER)) as peer:
            self.assertEqual(next_json(peer)["type"], "sessionReady")
            for size in (200 << 20, TOO_MUCH + 1, 524289):
                send_packed(peer, BINARY, b"x" * size, None)
                self.assertEqual(next_json(peer)["payload"]["code"], "FRAME_SIZE_EXCEEDED")
            send_packed(peer, TEXT, b"{}", None)
            self.assertEqual(next_json(peer)["payload"]["code"], "INVALID_MESSAGE")

    def test_what_cannot_be_unpacked(self):
        whole = packed(bytes(range(256)) * 5)
        for name, raw in (
            ("a block of no kind", b"\x07\x00\x01"),
            ("one that ends in the middle", whole[: len(whole) // 2]),
            ("a stored block of the wrong length", b"\x00\x05\x00\x00\x00abcde"),
        ):
            with self.subTest(name):
                self.assertEqual(self.ended(raw=raw), 1002)

    def test_a_bit_in_a_wrong_place(self):
        for name, raw in (
            ("on a ping", b"\xc9\x80"),
            ("another reserved bit", b"\xe1\x80"),
            ("on a continuation", b"\x41\x81" + bytes(4) + b"\x00" + b"\xc0\x80"),
        ):
            with self.subTest(name), Mock() as mock, mock.session(TAKEN, headers=offer(OFFER)) as peer:
                self.assertEqual(next_json(peer)["type"], "sessionReady")
                peer.send(raw + bytes(4))
                with self.assertRaises(Closed) as caught:
                    while True:
                        next_message(peer)
                self.assertEqual(caught.exception.code, 1002)


if __name__ == "__main__":
    unittest.main()
