#!/usr/bin/python3
"""Every quirk of --list quirks and every named card of --list cards, as a raw socket sees them.

Asked for by card, so that one mock serves all. Times are lower bounds only: a busy machine may be late.
"""
import json
import time
import unittest

import wire
from wire import BINARY, TEXT, Closed, audio_of, image_of, is_frame, is_silence, is_speech

check = wire.Checks()


def is_type(kind):
    return lambda message: isinstance(message, dict) and message.get("type") == kind


def kinds_of(frame):
    return [kind for kind, _, _ in frame.payloads]


def codes(messages):
    return [one["payload"]["code"] for one in messages if is_type("errorResponse")(one)]


def only_frames(messages):
    return [one for one in messages if is_frame(one)]


def cancelled(mock, card, frames=150):
    """A session whose long speech was cancelled after its fourth frame; what came up to the cancel, and the peer."""
    peer = mock.peer()
    assert peer.upgrade(card).status == 101
    assert peer.json()["type"] == "sessionReady"
    peer.speak(frames)
    before = peer.until_speech(4)
    peer.cancel()
    return peer, before


# ---- frames ----


@check.of("frame-type-byte")
def frame_type_byte(mock):
    with mock.session("mock.frame-type-byte") as peer:
        peer.json()
        peer.silence()
        silence = [peer.until_frame() for _ in range(3)]
        peer.speak(12)
        speech = only_frames(peer.until_speech(6))[-3:]
        assert {frame.rest for frame in silence} == {b"\x00"}, silence
        assert {frame.rest for frame in speech} == {b"\x01"}, speech
    peer, _ = cancelled(mock, "mock.frame-type-byte+fade=3")
    with peer:
        faded = [frame for frame in only_frames(peer.until(lambda one: is_frame(one) and one.rest == b"\x00"))]
        assert sum(frame.rest == b"\x02" for frame in faded) == 3, [frame.rest for frame in faded]


@check.of("running-index")
def running_index(mock):
    with mock.speaking("mock.running-index", 5) as peer:
        indexes = [peer.until_frame().index for _ in range(10)]
        assert indexes == list(range(indexes[0], indexes[0] + 10)) and indexes[0] in (0, 1), indexes


@check.of("silence-id")
def silence_id(mock):
    def ids(card):
        with mock.session(card) as peer:
            peer.json()
            peer.silence()
            first = [peer.until_frame().interaction for _ in range(3)]
            peer.speak(8)
            *_, speech = peer.until_speech(1)
            after = [frame.interaction for frame in peer.until(is_silence) if is_silence(frame)]
            after += [peer.until_frame().interaction for _ in range(2)]
            return first, speech.interaction, after

    first, spoken, after = ids("c")
    assert {*first, *after} == {wire.NIL}
    first, spoken, after = ids("mock.silence-id=fresh")
    assert len({*first}) == len({*after}) == 1 and len({*first, *after, spoken, wire.NIL}) == 4
    first, spoken, after = ids("mock.silence-id=last")
    assert {*after} == {spoken} != {wire.NIL}


@check.of("metadata-frames")
def metadata_frames(mock):
    with mock.session("mock.metadata-frames=3") as peer:
        peer.json()
        peer.silence()
        empty = [peer.until_frame().count == 0 for _ in range(12)]
        assert empty == [False, False, True] * 4, empty


@check.of("extra-payloads", "duplicate-payloads")
def more_payloads(mock):
    with mock.speaking("mock.extra-payloads") as peer:
        frame = peer.until_speech(2)[-1]
        assert sorted(kinds_of(frame)) == [0, 1, 2, 3] and frame.rest == b"", kinds_of(frame)
    with mock.speaking("mock.duplicate-payloads") as peer:
        frame = peer.until_speech(2)[-1]
        first, second = [data for kind, _, data in frame.payloads if kind == 1]
        assert first == bytes(1280) and wire.loudness(second) > 1000
        assert kinds_of(frame).count(2) == 1 and frame.rest == b""


@check.of("big-frames")
def big_frames(mock):
    with mock.session("mock.big-frames") as peer:
        peer.json()
        peer.silence()
        image = image_of(peer.until_frame())
        assert len(image) == 1100000 and image[:2] == b"\xff\xd8" and image[-2:] == b"\xff\xd9", len(image)
    with mock.speaking("mock.big-frames=50000") as peer:
        assert len(image_of(peer.until_speech(2)[-1])) == 50000


# ---- timing ----


def arrivals(peer, count):
    """When each of `count` speech frames was there."""
    times = []
    while len(times) < count:
        if is_speech(peer.any()):
            times.append(time.monotonic())
    return times


@check.of("group", paced=True)
def group(mock):
    with mock.speaking("mock.group=5+speech-rate=10", 20) as peer:
        times = arrivals(peer, 20)
        gaps = [after - before for before, after in zip(times, times[1:])]
        largest = sorted(range(19), key=gaps.__getitem__)[-3:]
        assert sorted(largest) == [4, 9, 14], [round(gap, 3) for gap in gaps]  # half a second each, and none between


@check.of("speech-rate")
def speech_rate(mock):
    with mock.speaking("mock.speech-rate=10", 16) as peer:
        times = arrivals(peer, 16)
        assert times[-1] - times[0] >= 1.0, times[-1] - times[0]  # 1.5 s; 0.3 s at the usual pace


@check.of("lead")
def lead(mock):
    with mock.session("mock.lead=2s") as peer:
        peer.json()
        peer.silence()
        peer.until(is_silence)
        peer.speak(30)
        asked = time.monotonic()
        assert [is_silence(one) for one in peer.until(is_speech)][:10] == [True] * 10
        assert time.monotonic() - asked >= 0.7  # the other 0.8 s never come
    with mock.session("mock.lead=2s") as peer:
        peer.json()
        peer.speak(50)
        assert is_speech(peer.any())  # all of it is there


@check.of("silent-head")
def silent_head(mock):
    with mock.speaking("mock.silent-head=3") as peer:
        loud = [wire.loudness(audio_of(frame)) for frame in only_frames(peer.until_speech(6))][-6:]
        assert max(loud[:3]) < 300 and min(loud[3:]) > 5000, loud


@check.of("starve")
def starve(mock):
    with mock.speaking("mock.starve=4", 20) as peer:
        seen = only_frames(peer.until_speech(12))
        kinds = "".join("S" if is_speech(frame) else "." for frame in seen).lstrip(".")
        assert kinds == "SSSS.SSSS.SSSS", kinds


@check.of("stall", paced=True)
def stall(mock):
    with mock.speaking("mock.stall=1s", 20) as peer:
        times = arrivals(peer, 20)
        gaps = [after - before for before, after in zip(times, times[1:])]
        assert max(range(19), key=gaps.__getitem__) == 9, gaps  # before the 11th
        assert gaps[9] >= 0.5, gaps[9]


@check.of("pause", paced=True)
def pause(mock):
    with mock.session("mock.pause=1500ms") as peer:
        peer.json()
        peer.silence()
        times = []
        while len(times) < 70:
            peer.until_frame()
            times.append(time.monotonic())
        gaps = [after - before for before, after in zip(times, times[1:])]
        longest = max(range(69), key=gaps.__getitem__)
        assert gaps[longest] >= 0.75, gaps[longest]
        assert 40 <= longest <= 60, longest  # 2 s of silence frames


# ---- cancel and end ----


@check.of("cancel-late")
def cancel_late(mock):
    peer, before = cancelled(mock, "mock.cancel-late=800ms")
    with peer:
        peer.pong()
        old = before[-1].interaction
        peer.speak(20)  # discarded
        settling = only_frames(peer.until(is_silence))
        late = [frame for frame in settling if is_speech(frame)]
        assert len(late) >= 5 and {frame.interaction for frame in late} == {old}, len(late)
        after = [peer.until_frame() for _ in range(30)]
        assert all(map(is_silence, after))
        assert not any(frame.final for frame in settling + after)


@check.of("fade")
def fade(mock):
    peer, before = cancelled(mock, "mock.fade=5+frame-type-byte")
    with peer:
        seen = only_frames(peer.until(lambda one: is_frame(one) and one.rest == b"\x00"))
        assert [frame.rest for frame in seen if frame.rest != b"\x01"] == [b"\x02"] * 5 + [b"\x00"], [f.rest for f in seen]


@check.of("cancelled")
def cancel_is_acknowledged(mock):
    peer, _ = cancelled(mock, "mock.cancelled")
    with peer:
        assert peer.until_error()["code"] == "CANCELLED"
        assert is_silence(peer.until(is_silence)[-1])


@check.of("cancel-ignored")
def cancel_ignored(mock):
    peer, before = cancelled(mock, "mock.cancel-ignored", 40)
    with peer:
        spoken = len(list(filter(is_speech, before))) + len(list(filter(is_speech, peer.until(is_silence))))
        assert spoken == 40, spoken


@check.of("stray-final")
def stray_final(mock):
    peer, _ = cancelled(mock, "mock.stray-final")
    with peer:
        peer.until(lambda one: is_frame(one) and one.final == 1)
        after = [peer.until_frame() for _ in range(5)]
        assert [frame.final for frame in after] == [0] * 5


@check.of("stray-start")
def stray_start(mock):
    with mock.speaking("mock.stray-start+frame-type-byte", 12) as peer:
        seen = only_frames(peer.until_speech(12) + peer.until(lambda one: is_frame(one) and one.rest == b"\x00"))
        types = b"".join(frame.rest for frame in seen).lstrip(b"\x00")
        assert types == b"\x03" + b"\x01" * 11 + b"\x03\x00", types


# ---- text ----


@check.of("session-ping")
def session_ping(mock):
    with mock.session("mock.session-ping=50ms") as peer:
        peer.json()
        for _ in range(3):
            ping = peer.until(is_type("sessionPing"))[-1]
            assert "payload" not in ping, ping


@check.of("unknown-types")
def unknown_types(mock):
    with mock.session("mock.unknown-types") as peer:
        assert [peer.json()["type"] for _ in range(3)] == ["sessionReady", "sessionUpdate", "webrtcStatus"]
        peer.speak(12)
        known = {"sessionReady", "sessionUpdate", "webrtcStatus", "errorResponse", "sessionPing"}
        peer.until(lambda one: isinstance(one, dict) and one["type"] not in known)


@check.of("camel-case-ready", "extra-ready")
def ready_members(mock):
    with mock.session("mock.camel-case-ready") as peer:
        payload = peer.json()["payload"]
        assert "traceId" in payload and "trace_id" not in payload, payload
    with mock.session("mock.extra-ready") as peer:
        payload = peer.json()["payload"]
        missing = {"trace_id", "num_clients", "max_capacity", "server_id"} - set(payload)
        assert not missing, (missing, payload)
        assert (payload["video_width"], payload["video_height"]) == (640, 480), payload


@check.of("old-error-codes")
def old_error_codes(mock):
    with mock.session("mock.old-error-codes") as peer:
        peer.json()
        peer.send_frame(BINARY, bytes(524289))
        assert peer.until_error()["code"] == "FRAME_SIZE_TOO_BIG"


# ---- admission and limits ----


@check.of("handshake-refusals")
def handshake_refusals(mock):
    for card, status, code in (
        ("handshake-refusals+forbidden", 403, "UNAUTHORIZED"),
        ("handshake-refusals+no-backend", 503, "BACKEND_UNAVAILABLE"),
    ):
        with mock.peer() as peer:
            response = peer.upgrade(f"mock.{card}")
            assert response.status == status, response
            assert json.loads(response.body)["payload"]["code"] == code, response


def first_and_close(mock, card):
    with mock.session(card) as peer:
        seen, closed, how = peer.end_of_session()
        assert len(seen) == 1 and how == "fin", (seen, closed, how)
        return seen[0], closed.code


@check.of("forbidden")
def forbidden(mock):
    error, code = first_and_close(mock, "mock.forbidden")
    assert (error["payload"]["code"], code) == ("UNAUTHORIZED", 1008), (error, code)


@check.of("no-backend")
def no_backend(mock):
    error, code = first_and_close(mock, "mock.no-backend")
    assert (error["payload"]["code"], code) == ("BACKEND_UNAVAILABLE", 1013)
    for word, text in (
        ("text", "No backend servers available. Please try again later."),
        ("short", "No backend servers available."),
        ("model", "Model not found"),
        ("empty", ""),
    ):
        assert first_and_close(mock, f"mock.no-backend={word}") == (text, 1013), word


@check.of("backend-lost")
def backend_lost(mock):
    with mock.speaking("mock.backend-lost=4") as peer:
        seen, closed, how = peer.end_of_session()
        assert len(list(filter(is_speech, seen))) == 4 and isinstance(seen[-1], str), seen[-1]
        assert (closed.code, how) == (1013, "fin")


@check.of("slow-backend")
def slow_backend(mock):
    with mock.speaking("mock.slow-backend=600ms", 10) as peer:
        seen = peer.until(is_type("errorResponse"))
        assert codes(seen) == ["TIMEOUT"] and not any(map(is_speech, seen)), seen
        assert not any(is_speech(peer.until_frame()) for _ in range(15))


@check.of("queue")
def queue(mock):
    with mock.peer() as peer:
        begun = time.monotonic()
        assert peer.upgrade("mock.queue=700ms").status == 101
        assert time.monotonic() - begun >= 0.7
        assert peer.json()["type"] == "sessionReady"


@check.of("queue-full")
def queue_full(mock):
    with mock.peer() as peer:
        begun = time.monotonic()
        response = peer.upgrade("mock.queue-full=700ms")
        if response.status == 101:
            seen, closed, _ = peer.end_of_session()
            assert (codes(seen), closed.code) == (["BACKEND_UNAVAILABLE"], 1013), (seen, closed)
        else:
            assert response.status == 503, response
        assert time.monotonic() - begun >= 0.7


@check.of("cold-start")
def cold_start(mock):
    begun = time.monotonic()
    with mock.session("mock.cold-start=700ms") as peer:
        assert peer.json()["type"] == "sessionReady"
        assert time.monotonic() - begun >= 0.7


@check.of("size-limit")
def size_limit(mock):
    for card, most in (("size-limit=5000", 5000), ("size-limit", 512000)):
        with mock.session(f"mock.{card}") as peer:
            peer.json()
            peer.speak(samples=bytes(most - 13 - most % 2 - 1))
            peer.send_frame(BINARY, wire.INPUT_HEADER.pack(1, 0, 0) + bytes(most + 1 - 13))
            peer.pong()
            peer.finish()
            seen = peer.until(lambda one: is_type("errorResponse")(one) or is_frame(one) and one.final == 1)
    # The pong may have come behind the error, so it is counted in a session of its own.
    with mock.session("mock.size-limit=5000") as peer:
        peer.json()
        peer.speak(samples=bytes(4986))  # 4,999 bytes
        peer.speak(samples=bytes(4988))  # 5,001
        seen = peer.until(is_type("errorResponse"))
        assert codes(seen) == ["FRAME_SIZE_EXCEEDED"], seen


@check.of("rate-limit")
def rate_limit(mock):
    with mock.session("mock.rate-limit=2") as peer:
        peer.json()
        for _ in range(3):
            peer.silence()
        assert peer.until_error()["code"] == "RATE_LIMITED"


@check.of("any-path")
def any_path(mock):
    for path, card, status in (("/ws", "any-path", 101), ("/", "any-path", 101), ("/ws", "group", 404), ("/x", "any-path", 404)):
        with mock.peer() as peer:
            response = peer.upgrade(f"mock.{card}", path=path)
            assert response.status == status, (path, card, response)


OFFER = ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"]


@check.of("permessage-deflate")
def permessage_deflate(mock):
    for card, taken in (("c", False), ("mock.permessage-deflate=taken", True), ("mock.permessage-deflate=declined", False)):
        with mock.peer() as peer:
            response = peer.upgrade(card, headers=OFFER)
            assert response.status == 101
            assert ("permessage-deflate" in response.headers.get("sec-websocket-extensions", "")) == taken, response
            frame = peer.frame()
            assert frame.opcode == TEXT and frame.rsv == (4 if taken else 0), frame
            assert taken or json.loads(frame.payload)["type"] == "sessionReady"
    with mock.session("mock.permessage-deflate=taken") as peer:  # nobody offered
        assert peer.json()["type"] == "sessionReady"


# ---- breaches ----


@check.of("bearer-keys")
def bearer_keys(mock):
    for key in ("Bearer whatever", "whatever", None):
        with mock.session("mock.bearer-keys", key=key) as peer:
            assert peer.json()["type"] == "sessionReady"
    with mock.peer() as peer:
        assert peer.upgrade("c", key="Bearer whatever").status == 401


@check.of("key-in-url")
def key_in_url(_):
    with wire.Mock("--key", "the-right-key", "--quirk", "key-in-url") as mock:
        for query in ("config_id=c&api_key=the-right-key", "access_token=the%2Dright-key&config_id=c"):
            with mock.session("", key=None, query=query) as peer:
                assert peer.json()["type"] == "sessionReady", query
        for query in ("config_id=c", "config_id=c&api_key=another-key"):
            with mock.peer() as peer:
                assert peer.upgrade("", key=None, query=query).status == 401, query
    with wire.Mock() as mock, mock.session("mock.key-in-url", key=None, query="config_id=mock.key-in-url&token=any") as peer:
        assert peer.json()["type"] == "sessionReady"


@check.of("any-config")
def any_config(_):
    with wire.Mock("--config", "only-this", "--quirk", "any-config") as mock:
        for query in ("config_id=another", "config_id=", "x=y"):
            with mock.session("", query=query) as peer:
                assert peer.json()["type"] == "sessionReady", query
    with wire.Mock("--config", "only-this") as mock, mock.session("another") as peer:
        assert peer.json()["payload"]["code"] == "MODEL_NOT_FOUND"


@check.of("ready-twice")
def ready_twice(mock):
    with mock.session("mock.ready-twice") as peer:
        peer.silence()
        seen = peer.until(is_silence) + [peer.any() for _ in range(10)]
        assert len(list(filter(is_type("sessionReady"), seen))) == 2, seen[:3]


@check.of("wrong-start")
def wrong_start(mock):
    with mock.session("mock.wrong-start") as peer:
        peer.json()
        assert is_silence(peer.any())  # nothing was sent to start it


@check.of("slow-silence")
def slow_silence(mock):
    with mock.session("mock.slow-silence=10") as peer:
        peer.json()
        peer.silence()
        peer.until_frame()
        begun = time.monotonic()
        for _ in range(15):
            assert is_silence(peer.until_frame())
        assert time.monotonic() - begun >= 1.3


@check.of("loses-frames")
def loses_frames(mock):
    with mock.speaking("mock.loses-frames=5", 20) as peer:
        speech = list(filter(is_speech, peer.until(is_speech) + peer.until(is_silence)))
        sent = wire.tone(640 * 20)
        frames = [sent[at : at + 1280] for at in range(0, len(sent), 1280)]
        kept = [frame for n, frame in enumerate(frames, 1) if n % 5 != 0]
        assert [audio_of(frame) for frame in speech] == kept, len(speech)


@check.of("wrong-size")
def wrong_size(mock):
    with mock.speaking("mock.wrong-size") as peer, mock.speaking("c") as other:
        assert wire.image_size(image_of(other.until_speech(1)[-1])) == (640, 480)
        assert wire.image_size(image_of(peer.until_speech(1)[-1])) == (320, 240)


@check.of("no-final")
def no_final(mock):
    with mock.speaking("mock.no-final", 10) as peer:
        peer.finish()
        speech = only_frames(peer.until_speech(10))
        assert not any(frame.final for frame in speech)
        rest, _, how = peer.end_of_session()  # it stops, and then closes
        assert not any(frame.final for frame in only_frames(rest)) and len(rest) < 5, len(rest)
        assert how == "fin"


@check.of("lenient")
def lenient(mock):
    with mock.session("mock.lenient") as peer:
        peer.json()
        peer.send_frame(TEXT, b"no JSON")
        peer.send_frame(BINARY, b"\x01short")
        peer.send_frame(BINARY, bytes(524289))
        peer.silence()
        seen = [peer.any() for _ in range(15)]
        assert codes(seen) == []


@check.of("bare-errors")
def bare_errors(mock):
    with mock.session("mock.bare-errors") as peer:
        peer.json()
        peer.send_frame(TEXT, b"no JSON")
        error = peer.until_error()
        assert error["code"] == "INVALID_MESSAGE" and "timestamp" not in error, error


@check.of("session-clock")
def session_clock(mock):
    with mock.speaking("mock.session-clock") as peer:
        frames = only_frames(peer.until_speech(4))
        assert all(frame.timestamp < 600000 for frame in frames), frames[0].timestamp
        assert frames[0].timestamp <= frames[-1].timestamp


def scan_rows(jpeg):
    """The pieces between restart markers: one a row of blocks (ITU T.81 B.1.1.3)."""
    start = jpeg.index(b"\xff\xda")
    rows, at = [start], start
    while at < len(jpeg) - 1:
        at = jpeg.index(b"\xff", at + 1) if b"\xff" in jpeg[at + 1 :] else len(jpeg)
        if at < len(jpeg) - 1 and 0xD0 <= jpeg[at + 1] <= 0xD7:
            rows.append(at)
    return [jpeg[a:b] for a, b in zip(rows, [*rows[1:], len(jpeg)])]


@check.of("ignores-params")
def ignores_params(mock):
    def faces(card, params):
        with mock.session(card) as peer:
            peer.json()
            peer.speak(10, params=params)
            frames = list(filter(is_speech, peer.until_speech(8)))
            # The lowest rows tell frame and interaction in a block code.
            return [scan_rows(image_of(frame))[:-3] for frame in frames]

    shut = {"speech_mouth_opening_scale": 0.0}
    assert faces("c", None) != faces("c", shut)
    assert faces("mock.ignores-params", None) == faces("mock.ignores-params", shut)


@check.of("no-pong")
def no_pong(mock):
    with mock.session("mock.no-pong") as peer:
        peer.json()
        peer.send_frame(wire.PING, b"x")
        peer.silence()
        assert all(peer.frame().opcode == BINARY for _ in range(20))


@check.of("little-endian")
def little_endian(mock):
    with mock.speaking("mock.little-endian") as peer:
        raw = peer.message().payload
        assert int.from_bytes(raw[37:41], "little") == 1280 and raw[41] == 1, raw[37:42]


@check.of("hoarse")
def hoarse(mock):
    with mock.speaking("mock.hoarse") as peer, mock.speaking("c") as other:
        half, whole = (wire.loudness(one.speech_audio(5)) for one in (peer, other))
        assert abs(half - whole / 2) < whole / 20, (half, whole)


@check.of("forgetful")
def forgetful(mock):
    with mock.session("mock.forgetful=300ms") as peer:
        peer.json()
        peer.speak(40)  # 1.6 s, which take 0.8 s to come back
        peer.until_speech(1)
        time.sleep(0.4)
        peer.speak(40)
        spoken = 1 + len(list(filter(is_speech, peer.until(is_silence))))
        assert spoken == 40, spoken


class Quirks(unittest.TestCase):
    def test_every_quirk_shows_on_the_wire(self):
        with wire.Mock(size="640x480") as mock:
            check.judge(self, mock, [quirk["name"] for quirk in wire.listed("quirks")])

    def test_every_quirk_shows_inside_tls_too(self):
        with wire.TlsMock(size="640x480") as mock:
            check.judge(self, mock, [quirk["name"] for quirk in wire.listed("quirks")])


if __name__ == "__main__":
    unittest.main(verbosity=2)
