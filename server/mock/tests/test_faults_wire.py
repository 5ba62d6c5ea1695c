#!/usr/bin/python3
"""Every fault of --list faults, as a raw socket sees it: asked for by its card, so that one mock serves all.

A fault "in speech" comes after the third speech frame, so what is looked at is what comes next.
"""
import json
import struct
import time
import unittest

import wire
from wire import BINARY, CLOSE, CONTINUATION, PING, TEXT, Closed, Ended

check = wire.Checks()


def in_speech(mock, card, frames=50):
    """A session right after its third speech frame."""
    peer = mock.peer()
    assert peer.upgrade(card).status == 101
    assert peer.json()["type"] == "sessionReady"
    peer.speak(frames)
    peer.until_speech(3)
    return peer


def goes_on(peer, frames=3):
    """The service goes on: speech frames that are as they should be."""
    for frame in (wire.is_speech(one) and one for one in peer.until_speech(frames)):
        if frame:
            assert [(kind, size) for kind, size, _ in frame.payloads][0] == (1, 1280), frame.payloads
            assert (frame.count, frame.rest) == (2, b""), frame


def refused(mock, card):
    with mock.peer() as peer:
        response = peer.upgrade(card)
        assert peer.end() == "fin"
        return response


# ---- the handshake ----


@check.of("refuse")
def refuse(mock):
    for card, status, code in (
        ("refuse", 503, "BACKEND_UNAVAILABLE"),
        ("refuse=401", 401, "AUTH_FAILED"),
        ("refuse=403", 403, "UNAUTHORIZED"),
        ("refuse=404", 404, "MODEL_NOT_FOUND"),
        ("refuse=429", 429, "RATE_LIMITED"),
        ("refuse=418", 418, None),
        ("refuse=302", 302, None),
    ):
        response = refused(mock, f"mock.{card}")
        assert response.status == status, response
        if code is None:
            assert response.body == b"", response
            continue
        assert response.headers["content-type"] == "application/json", response
        body = json.loads(response.body)
        assert (body["type"], body["payload"]["code"]) == ("errorResponse", code), body


@check.of("refuse-error")
def refuse_error(mock):
    response = refused(mock, "mock.refuse-error=AUTH_FAILED")
    assert (response.status, response.headers["content-type"]) == (403, "application/json"), response
    body = json.loads(response.body)
    assert (body["type"], body["payload"]["code"]) == ("errorResponse", "AUTH_FAILED"), body


@check.of("too-many", "busy")
def retry_after(mock):
    for card, status, code, wait in (
        ("too-many", 429, "RATE_LIMITED", "1"),
        ("too-many=30", 429, "RATE_LIMITED", "30"),
        ("busy", 503, "BACKEND_UNAVAILABLE", "1"),
        ("busy=120", 503, "BACKEND_UNAVAILABLE", "120"),
    ):
        response = refused(mock, f"mock.{card}")
        assert (response.status, response.headers["retry-after"]) == (status, wait), response
        assert json.loads(response.body)["payload"]["code"] == code


@check.of("never-answer")
def never_answer(mock):
    with mock.peer() as peer:
        peer.ask("mock.never-answer")
        assert peer.silent_for(1.0)


@check.of("hang-up")
def hang_up(mock):
    with mock.peer() as peer:
        peer.ask("mock.hang-up")
        try:
            peer.frame()
        except Ended as ended:
            assert (ended.how, ended.left) == ("fin", b""), ended
            return
        raise AssertionError("an answer came")


@check.of("wrong-accept", "missing-accept", "unasked-extension", "unasked-protocol")
def handshake_violations(mock):
    for card, header, value in (
        ("any-config", "sec-websocket-accept", wire.ACCEPT),  # how it is otherwise
        ("wrong-accept", "sec-websocket-accept", "HSmrc0sMlYUkAGmm5OPpG2HaGWk="),
        ("missing-accept", "sec-websocket-accept", None),
        ("unasked-extension", "sec-websocket-extensions", "permessage-deflate"),
        ("unasked-protocol", "sec-websocket-protocol", "chat"),
    ):
        with mock.peer() as peer:
            response = peer.upgrade(f"mock.{card}")
            assert response.status == 101, response
            assert response.headers.get(header) == value, response
            assert response.raw.lower().count(header.encode()) == (0 if value is None else 1), response
            assert peer.json()["type"] == "sessionReady"


# ---- the beginning ----


@check.of("mute")
def mute(mock):
    with mock.session("mock.mute") as peer:
        peer.silence()
        assert peer.pong() == []  # the transport lives, and nothing came
        assert peer.silent_for(1.0)


def only_message_then_close(mock, card, code):
    with mock.session(card) as peer:
        seen, closed, how = peer.end_of_session()
        assert len(seen) == 1 and (closed.code, how) == (code, "fin"), (seen, closed, how)
        return seen[0]


@check.of("error-early")
def error_early(mock):
    error = only_message_then_close(mock, "mock.error-early=MODEL_NOT_FOUND", 1008)
    assert (error["type"], error["payload"]["code"]) == ("errorResponse", "MODEL_NOT_FOUND"), error


@check.of("plain-text")
def plain_text(mock):
    text = only_message_then_close(mock, "mock.plain-text", 1013)
    assert text == "No backend servers available. Please try again later.", text
    text = only_message_then_close(mock, 'mock.plain-text=Say "ü" + more', 1013)
    assert text == 'Say "ü" + more', text


@check.of("no-ready")
def no_ready(mock):
    with mock.session("mock.no-ready") as peer:
        for _ in range(10):
            assert wire.is_silence(peer.any())


@check.of("early-frame")
def early_frame(mock):
    with mock.session("mock.early-frame") as peer:
        assert wire.is_silence(peer.any())
        assert peer.json()["type"] == "sessionReady"


@check.of("late-ready")
def late_ready(mock):
    begun = time.monotonic()
    with mock.session("mock.late-ready=700ms") as peer:
        assert peer.json()["type"] == "sessionReady"
        assert time.monotonic() - begun >= 0.7
        peer.silence()
        assert wire.is_silence(peer.any())


@check.of("ready-status", "ready-members")
def ready_members(mock):
    with mock.session("mock.ready-status=degraded") as peer:
        ready = peer.json()
        assert (ready["type"], ready["payload"]["status"]) == ("sessionReady", "degraded"), ready
        peer.silence()
        assert wire.is_silence(peer.any())  # once, and the service goes on
    with mock.session("mock.ready-members") as peer:
        ready = peer.json()
        payload = ready["payload"]
        assert (ready["type"], payload["trace_id"], payload["load"]) == ("sessionReady", "none", 7), ready
        assert "parameters" not in payload and "timestamp" not in payload, ready
        peer.silence()
        assert wire.is_silence(peer.any())


# ---- errors ----


@check.of("error")
def error_after_ready(mock):
    with mock.session("mock.error=TIMEOUT") as peer:
        assert peer.json()["type"] == "sessionReady"
        error = peer.json()
        assert (error["type"], error["payload"]["code"]) == ("errorResponse", "TIMEOUT"), error
        peer.speak(10)
        goes_on(peer)


@check.of("error-in-speech", "text-in-speech")
def error_in_speech(mock):
    with in_speech(mock, "mock.error-in-speech=CANCELLED") as peer:
        error = peer.json()
        assert (error["type"], error["payload"]["code"]) == ("errorResponse", "CANCELLED"), error
        goes_on(peer)
    with in_speech(mock, "mock.text-in-speech=out of order") as peer:
        assert peer.text() == "out of order"
        goes_on(peer)


@check.of("no-type")
def no_type(mock):
    with mock.session("mock.no-type") as peer:
        assert peer.json()["type"] == "sessionReady"
        assert (peer.text(), peer.text()) == ("[1,2,3]", '{"type":7}')
        peer.speak(10)
        goes_on(peer)


# ---- frames ----


@check.of("final-flag", "index", "usage", "frame-timestamp", "payload-count")
def fields(mock):
    for card, field, value in (
        ("final-flag", "final", 2),
        ("final-flag=1", "final", 1),
        ("index", "index", 0xFFFFFFFF),
        ("index=7", "index", 7),
        ("usage", "usage", 0xFFFFFFFF),
        ("usage=0", "usage", 0),
        ("frame-timestamp", "timestamp", 0xFFFFFFFFFFFFFFFF),
        ("frame-timestamp=1", "timestamp", 1),
        ("payload-count", "count", 0xFFFFFFFF),
        ("payload-count=0", "count", 0),
    ):
        with in_speech(mock, f"mock.{card}") as peer:
            frame = peer.any()
            assert getattr(frame, field) == value, (card, frame[:6])
            goes_on(peer)


@check.of("truncated")
def truncated(mock):
    for size in (1, 20, 36, 37, 41, 42, 700):
        with in_speech(mock, f"mock.truncated={size}") as peer:
            assert len(peer.any().raw) == size
            goes_on(peer)


@check.of("lying-size", "lying-audio")
def lying_sizes(mock):
    with in_speech(mock, "mock.lying-size=77") as peer:
        raw = peer.any().raw
        size, kind = wire.ENTRY_HEADER.unpack_from(raw, 37 + 5 + 1280)
        assert (kind, size) == (wire.IMAGE, len(raw) - (37 + 5 + 1280 + 5) + 77), (kind, size, len(raw))
        goes_on(peer)
    with in_speech(mock, "mock.lying-audio") as peer:
        assert wire.ENTRY_HEADER.unpack_from(peer.any().raw, 37) == (0xFFFFFFFF, wire.AUDIO)
        goes_on(peer)


@check.of("trailing")
def trailing(mock):
    with in_speech(mock, "mock.trailing=00ff") as peer:
        frame = peer.any()
        assert (len(frame.payloads), frame.rest) == (2, b"\x00\xff"), frame.rest
        goes_on(peer)


@check.of("damaged-jpeg", "png")
def pictures(mock):
    with mock.speaking("c") as peer:
        whole = wire.image_of(peer.until_speech(1)[-1])
    with in_speech(mock, "mock.damaged-jpeg=2") as peer:
        for _ in range(2):
            image = wire.image_of(peer.any())
            assert image[:2] == b"\xff\xd8" and image[-2:] != b"\xff\xd9" or len(image) < len(whole) // 2 or b"\xff\xdb" not in image
        goes_on(peer)
    with in_speech(mock, "mock.png=2") as peer:
        for _ in range(2):
            assert wire.image_of(peer.any())[:8] == b"\x89PNG\r\n\x1a\n"
        goes_on(peer)


@check.of("no-payload", "audio-only", "image-only", "swapped-payloads", "unknown-payload")
def payloads(mock):
    for card, count, kinds in (
        ("no-payload", 3, []),
        ("audio-only=2", 2, [1]),
        ("image-only", 3, [2]),
        ("swapped-payloads", 3, [2, 1]),
        ("unknown-payload", 1, [1, 9, 2]),
        ("unknown-payload=255", 1, [1, 255, 2]),
    ):
        with in_speech(mock, f"mock.{card}") as peer:
            for _ in range(count):
                frame = peer.any()
                assert ([kind for kind, _, _ in frame.payloads], frame.rest) == (kinds, b""), (card, frame.payloads)
            goes_on(peer)


@check.of("foreign-frames")
def foreign_frames(mock):
    with in_speech(mock, "mock.foreign-frames=2") as peer:
        ids = [peer.any().interaction for _ in range(4)]
        foreign = bytes.fromhex("f0e1d2c3b4a5469788796a5b4c3d2e1f")
        assert ids[:2] == [foreign] * 2 and ids[2] == ids[3] != foreign, ids


@check.of("mutated")
def mutated(_):
    def frame(card):
        with wire.Mock() as mock, in_speech(mock, card) as peer:  # the first session of a seed: the same each time
            raw = peer.message().payload
            goes_on(peer)
            return raw[:17] + raw[37:]  # without timestamp, usage and what a fault of another name needs

    plain, first, again, other = (frame(f"mock.{card}") for card in ("usage=1", "mutated=1", "mutated=1", "mutated=2"))
    assert first == again != other
    for raw in (first, other):
        changed = sum(a != b for a, b in zip(raw, plain))
        assert len(raw) == len(plain) and 1 <= changed <= 20, (len(raw), len(plain), changed)


# ---- how bytes come ----


@check.of("fragments", "fragments-with-pings")
def fragments(mock):
    for card, size, pinged in (("fragments=100", 100, False), ("fragments-with-pings=500", 500, True)):
        with mock.session(f"mock.{card}") as peer:
            pings = []
            ready = peer.message(pings)
            assert json.loads(ready.payload)["type"] == "sessionReady"
            peer.speak(12)
            frames = [peer.message(pings) for _ in range(5)]
            cut = 0
            for message in (ready, *frames):
                *whole, last = message.frames
                assert [part.length for part in whole] == [size] * len(whole), message.frames
                assert 1 <= last.length <= size
                assert [part.opcode for part in message.frames[1:]] == [CONTINUATION] * len(whole)
                cut += len(whole)
            assert all(wire.is_speech(wire.decode(message.payload)) for message in frames)
            assert cut > 10
            assert len(pings) == (cut if pinged else 0), (len(pings), cut)


@check.of("slices")
def slices(mock):
    sliced, whole = (wire.segments_of_speech(mock, card) for card in ("mock.slices=1", "c"))
    assert sliced > whole + 20, (sliced, whole)  # how many exactly is up to the kernels


@check.of("delay")
def delay(mock):
    begun = time.monotonic()
    with mock.session("mock.delay=600ms") as peer:
        assert peer.json()["type"] == "sessionReady"
        assert time.monotonic() - begun >= 0.6
        peer.speak(5)
        goes_on(peer, 5)


@check.of("jitter")
def jitter(mock):
    with mock.session("mock.jitter=500ms") as peer:
        assert peer.json()["type"] == "sessionReady"
        peer.speak(12)
        gaps, then = [], time.monotonic()
        sent, got = wire.tone(640 * 12), b""
        for _ in range(12):
            frame = peer.any()
            assert wire.is_speech(frame)
            got += wire.audio_of(frame)
            gaps.append(time.monotonic() - then)
            then = time.monotonic()
        assert got == sent  # late, and in order
        assert max(gaps) > 0.06, gaps  # the pace alone would be 20 ms
    assert "mock.jitter=500ms (seed 1)" in mock.said()


@check.of("freeze")
def freeze(mock):
    begun = time.monotonic()
    with in_speech(mock, "mock.freeze=900ms") as peer:
        goes_on(peer)
        assert time.monotonic() - begun >= 0.9


@check.of("stop-reading")
def stop_reading(mock):
    with mock.session("mock.stop-reading=1500ms") as peer:
        assert peer.json()["type"] == "sessionReady"
        begun = time.monotonic()
        peer.pong()
        assert time.monotonic() - begun >= 1.0  # what is sent is read only then
        peer.speak(5)
        goes_on(peer)


# ---- how it ends ----


@check.of("half-close")
def half_close(mock):
    with in_speech(mock, "mock.half-close") as peer:
        try:
            peer.frame()
            raise AssertionError("a frame came")
        except Ended as ended:
            assert (ended.how, ended.left) == ("fin", b""), ended
        for _ in range(20):  # it reads on: nothing is refused with a reset
            peer.send_frame(PING, b"x")
            time.sleep(0.01)
        peer.answer_close()


def ends_after(mock, card, speech, how, frames=50):
    with mock.speaking(card, frames) as peer:
        seen, closed, ended = peer.end_of_session()
        assert sum(map(wire.is_speech, seen)) == speech, len(seen)
        assert (closed, ended) == (None, how), (closed, ended)


@check.of("drop", "reset")
def drop(mock):
    ends_after(mock, "mock.drop", 10, "fin")
    ends_after(mock, "mock.drop=4", 4, "fin")
    ends_after(mock, "mock.reset=6", 6, "reset")


@check.of("drop-early")
def drop_early(mock):
    with mock.session("mock.drop-early") as peer:
        assert peer.end_of_session() == ([], None, "fin")


@check.of("drop-in-frame", "reset-in-frame")
def ends_in_frame(mock):
    for card, how, size in (("drop-in-frame=90", "fin", 90), ("drop-in-frame", "fin", 1000), ("reset-in-frame=90", "reset", 90)):
        with in_speech(mock, f"mock.{card}") as peer:
            try:
                peer.frame()
                raise AssertionError("a whole frame came")
            except Ended as ended:
                assert ended.how == how, (card, ended)
                # The header told the whole length; a reset may throw away what was not read yet.
                header = 4 if ended.left[1:2] == b"\x7e" else 10
                if how == "fin" or ended.left:
                    assert len(ended.left) == header + size, (card, len(ended.left))


@check.of("close")
def close(mock):
    for code in (1000, 1001, 1008, 1011, 1012, 1013, 4001, 4401):
        with in_speech(mock, f"mock.close={code}") as peer:
            seen, closed, how = peer.end_of_session()
            assert (seen, closed.code, closed.reason, how) == ([], code, b"", "fin"), (seen, closed, how)


@check.of("close-early")
def close_early(mock):
    with mock.session("mock.close-early") as peer:
        seen, closed, how = peer.end_of_session()
        assert (seen, closed.code, how) == ([], 4401, "fin")


@check.of("close-reason", "close-empty")
def close_reason(mock):
    with in_speech(mock, "mock.close-reason=Feierabend für heute") as peer:
        _, closed, how = peer.end_of_session()
        assert (closed.code, closed.reason.decode(), how) == (1008, "Feierabend für heute", "fin"), closed
    with in_speech(mock, "mock.close-empty") as peer:
        _, closed, how = peer.end_of_session()
        assert (closed.payload, how) == (b"", "fin"), closed


@check.of("no-closing-handshake")
def no_closing_handshake(mock):
    with in_speech(mock, "mock.no-closing-handshake") as peer:
        frame = peer.frame()
        assert (frame.opcode, frame.payload) == (CLOSE, struct.pack("!H", 1000)), frame
        peer.answer_close()
        assert peer.silent_for(1.0)


# ---- what RFC 6455 forbids ----


def next_frame(mock, card):
    """The frame that comes in speech, and a session that goes on behind it."""
    with in_speech(mock, f"mock.{card}") as peer:
        frame = peer.frame()
        goes_on(peer)
        return frame


@check.of("masked-frame")
def masked_frame(mock):
    frame = next_frame(mock, "masked-frame")
    assert (frame.masked, frame.opcode) == (True, BINARY), frame
    assert wire.is_speech(wire.decode(frame.payload))


@check.of("reserved-bits")
def reserved_bits(mock):
    for bits in range(1, 8):
        frame = next_frame(mock, f"reserved-bits={bits}")
        assert (frame.rsv, frame.opcode, frame.fin) == (bits, BINARY, True), frame
        assert wire.is_speech(wire.decode(frame.payload))


@check.of("reserved-opcode", "reserved-control")
def reserved_opcodes(mock):
    for opcode in (*range(3, 8), *range(11, 16)):
        frame = next_frame(mock, f"reserved-{'opcode' if opcode < 8 else 'control'}={opcode}")
        assert (frame.opcode, frame.payload) == (opcode, b"reserved"), frame


@check.of("long-ping")
def long_ping(mock):
    for size in (126, 1000):
        frame = next_frame(mock, f"long-ping={size}")
        assert (frame.opcode, frame.length, frame.form) == (PING, size, 16), frame


@check.of("fragmented-ping")
def fragmented_ping(mock):
    with in_speech(mock, "mock.fragmented-ping") as peer:
        first, second = peer.frame(), peer.frame()
        assert (first.opcode, first.fin, first.payload) == (PING, False, b"pi"), first
        assert (second.opcode, second.fin, second.payload) == (CONTINUATION, True, b"ng"), second
        goes_on(peer)


@check.of("stray-continuation")
def stray_continuation(mock):
    frame = next_frame(mock, "stray-continuation")
    assert (frame.opcode, frame.fin, frame.payload) == (CONTINUATION, True, b"stray"), frame


@check.of("interleaved-message")
def interleaved_message(mock):
    with in_speech(mock, "mock.interleaved-message") as peer:
        begun, inside = peer.frame(), peer.frame()
        assert (begun.opcode, begun.fin, begun.length) == (BINARY, False, 37), begun
        assert (inside.opcode, inside.fin) == (BINARY, True), inside[:6]
        goes_on(peer)


@check.of("bad-utf8")
def bad_utf8(mock):
    frame = next_frame(mock, "bad-utf8")
    assert (frame.opcode, frame.fin) == (TEXT, True), frame
    try:
        frame.payload.decode()
        raise AssertionError("it is UTF-8")
    except UnicodeDecodeError:
        pass


@check.of("huge-length")
def huge_length(mock):
    for card, length in (("huge-length", 1 << 63), (f"huge-length={(1 << 64) - 1}", (1 << 64) - 1)):
        with in_speech(mock, f"mock.{card}") as peer:
            frame = peer.frame()
            assert (frame.opcode, frame.form, frame.length) == (BINARY, 64, length), frame


@check.of("long-length-form")
def long_length_form(mock):
    for form in (16, 64):
        frame = next_frame(mock, f"long-length-form={form}")
        assert (frame.opcode, frame.form, frame.length, frame.payload) == (TEXT, form, 2, b"{}"), frame


@check.of("short-close", "bad-close-reason", "illegal-close-code", "long-close")
def wrong_closes(mock):
    for card, payload in (
        ("short-close", b"\x03"),
        ("bad-close-reason", b"\x03\xe8\xff"),
        ("illegal-close-code", struct.pack("!H", 1005)),
        ("illegal-close-code=0", struct.pack("!H", 0)),
        ("illegal-close-code=999", struct.pack("!H", 999)),
        ("illegal-close-code=65535", struct.pack("!H", 65535)),
        ("long-close", b"Z" * 126),
    ):
        with in_speech(mock, f"mock.{card}") as peer:
            try:
                peer.message()
                raise AssertionError(f"{card}: a message came")
            except Closed as closed:
                assert closed.payload == payload, (card, closed)


@check.of("data-after-close")
def data_after_close(mock):
    with in_speech(mock, "mock.data-after-close") as peer:
        first, second = peer.frame(), peer.frame()
        assert (first.opcode, first.payload) == (CLOSE, struct.pack("!H", 1000)), first
        assert (second.opcode, wire.is_speech(wire.decode(second.payload))) == (BINARY, True), second[:6]


class Faults(unittest.TestCase):
    def test_every_fault_shows_on_the_wire(self):
        with wire.Mock("--log", "info") as mock:
            check.judge(self, mock, [fault["name"] for fault in wire.listed("faults")])

    def test_every_fault_shows_inside_tls_too(self):
        with wire.TlsMock("--log", "info") as mock:
            check.judge(self, mock, [fault["name"] for fault in wire.listed("faults")])


class Options(unittest.TestCase):
    def test_a_fault_of_the_command_line_is_every_sessions(self):
        with wire.Mock("--fault", "drop=2") as mock:
            for _ in range(2):
                ends_after(mock, "c", 2, "fin")

    def test_a_card_comes_in_place_of_the_fault_of_the_command_line_and_on_top_of_the_quirks(self):
        with wire.Mock("--fault", "drop=2", "--quirk", "camel-case-ready") as mock:
            ends_after(mock, "mock.drop=5", 5, "fin")


if __name__ == "__main__":
    unittest.main(verbosity=2)
