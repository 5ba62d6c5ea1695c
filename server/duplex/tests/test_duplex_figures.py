#!/usr/bin/python3
"""The figures of the full-duplex service over a real socket, by the mock's own clock, as its journal has it: one event an
appended second at most, text ahead of its sound, a listen after a turn only when that was played out, what listening and
pictures cost of the context, and how long a session lasts, queueing included.

Nothing here depends on how fast the machine is: times are the mock's own, and held from below or with seconds to spare.
"""

import array
import asyncio
import base64
import contextlib
import json
import sys
import urllib.request

import websockets

import duplex_mock
from duplex_mock import PATIENCE_S, SECOND, UPDATE, begin, expect, picture, receive, wav

EVENTS = ("response.listen", "response.output_audio.delta")
UTTERANCE = "Hello! It is good to hear you. How can I help?"


def append(samples, **members):
    audio = base64.b64encode(samples.tobytes()).decode()
    return json.dumps({"type": "input_audio_buffer.append", "audio": audio, **members})


SILENCE = array.array("f", [0.0] * SECOND)


def speech():
    floats = wav("hello-1s.wav")
    floats.extend([0.0] * (-len(floats) % SECOND))
    return [floats[at:at + SECOND] for at in range(0, len(floats), SECOND)]


class Mock(duplex_mock.Mock):
    def __init__(self, *options):
        super().__init__("--size", "160x384", *options)

    async def __aexit__(self, *_):
        await super().__aexit__()
        assert "mistake of the mock" not in self.findings, self.findings

    async def journal(self):
        """(label, at_us) of every message, both ways."""
        def ask():
            with urllib.request.urlopen(self.ready["control"] + "journal?kind=wire&limit=20000", timeout=PATIENCE_S) as answer:
                return json.loads(answer.read())["entries"]

        return [(entry["label"], entry["at_us"]) for entry in await asyncio.to_thread(ask)]


async def talk(connection, seconds, heard):
    """Speech, then silence, a second every second; what comes goes to `heard`."""
    async def listen():
        async for text in connection:
            heard.append(json.loads(text))

    listening = asyncio.create_task(listen())
    spoken = speech()
    for n in range(seconds):
        await connection.send(append(spoken[n] if n < len(spoken) else SILENCE))
        await asyncio.sleep(1)
    listening.cancel()


def turn_of(heard):
    deltas = [message for message in heard if message["type"] == "response.output_audio.delta"]
    ends = [n for n, delta in enumerate(deltas) if delta["end_of_turn"]]
    assert ends, heard
    return deltas[:ends[0] + 1]


async def test_pace_and_text():
    heard = []
    async with Mock() as mock:
        async with mock.connect() as connection:
            await begin(connection)
            await talk(connection, 10, heard)
            entries = await mock.journal()
    appended = events = 0
    for label, _ in entries:
        appended += label == "input_audio_buffer.append"
        events += label in ("listen", "delta")
        assert events <= appended, f"event {events} after {appended} seconds: {entries}"
    deltas = turn_of(heard)
    samples = [len(base64.b64decode(delta["audio"], validate=True)) // 4 for delta in deltas]
    assert samples[0] < 24000 and samples[-1] < 24000 and set(samples[1:-1]) <= {24000}, samples
    assert all(len(delta["text"]) <= 27 for delta in deltas), deltas
    assert "".join(delta["text"] for delta in deltas) == UTTERANCE, deltas
    said = shown = 0
    for delta, count in zip(deltas, samples):
        said += count
        shown += len(delta["text"])
        assert shown / len(UTTERANCE) >= said / sum(samples), "the text does not lead"
    first = next(n for n, (label, _) in enumerate(entries) if label == "delta")
    began = entries[first][1]
    listened = next(at for label, at in entries[first:] if label == "listen")
    assert listened - began >= sum(samples) * 1000000 // 24000, "the listen came before the turn was played out"
    lengths = [message["kv_cache_length"] for message in heard if message["type"] in EVENTS]
    assert lengths == sorted(lengths), lengths


async def test_force_listen_stops_a_turn():
    async with Mock("--quirk", "duplex:utterance=2") as mock:
        async with mock.connect() as connection:
            await begin(connection)
            spoken = speech()
            for n in range(30):
                await connection.send(append(spoken[n] if n < len(spoken) else SILENCE))
                if (await receive(connection))["type"] == "response.output_audio.delta":
                    break
            await connection.send(append(SILENCE, force_listen=True))
            kinds = []
            while not kinds or kinds[-1]["type"] != "response.listen":
                kinds.append(await receive(connection))
            assert len(kinds) <= 2, kinds
            assert not any(message.get("end_of_turn") for message in kinds), kinds


async def test_what_the_context_costs():
    shown = picture()
    rows = (({}, 13), ({"video_frames": [shown]}, 13 + 64), ({"video_frames": [shown], "max_slice_nums": 4}, 13 + 192),
            ({"video_frames": [shown]}, 13 + 64), ({"video_frames": [shown, shown]}, 13 + 128))
    async with Mock() as mock:
        async with mock.connect("video") as connection:
            length = (await begin(connection))["prompt_length"]
            for members, cost in rows:
                await connection.send(append(SILENCE, **members))
                listen = await expect(connection, "response.listen")
                assert listen["kv_cache_length"] == length + cost, (members.keys(), length, listen)
                length += cost


async def test_a_full_context_ends_the_session():
    async with Mock("--quirk", "cache-used=8150") as mock:
        async with mock.connect() as connection:
            await begin(connection)
            message = {"type": ""}
            lengths = []
            while message["type"] != "session.closed":
                try:
                    await connection.send(append(SILENCE))
                except websockets.ConnectionClosed:
                    pass
                message = await receive(connection)
                lengths.append(message.get("kv_cache_length", 0))
            assert message["reason"] == "context_full" and max(lengths) <= 8192, (message, lengths)
            await connection.wait_closed()
            assert connection.close_code == 1000, connection.close_code


async def lasts(mode, seconds):
    speed = 200
    async with Mock("--speed", str(speed), "--quirk", "wait=1s") as mock:
        async with mock.connect(mode) as connection:
            while (message := await receive(connection))["type"] != "session.closed":
                if message["type"] == "session.queue_done":
                    with contextlib.suppress(websockets.ConnectionClosed):  # it is late, and its session over
                        await connection.send(UPDATE)
            assert message["reason"] == "timeout", message
            await connection.wait_closed()
            assert connection.close_code == 1000, connection.close_code
            entries = dict(await mock.journal())
    limit_us = seconds * 1000000 // speed
    assert entries["closed"] - entries["upgrade"] >= limit_us, entries
    assert entries["queue_done"] - entries["upgrade"] >= 900000, entries
    assert entries["closed"] - entries["queue_done"] < limit_us, "queueing did not count"


async def test_a_session_lasts_300_s_with_video():
    await lasts("video", 300)


async def test_and_600_s_with_audio_alone():
    await lasts("audio", 600)


async def run(name, test):
    try:
        await asyncio.wait_for(test(), PATIENCE_S)
        print(f"ok {name}")
        return 0
    except Exception as error:  # pylint: disable=broad-except
        print(f"FAILED {name}: {type(error).__name__}: {error}")
        return 1


async def main():
    tests = [run(name, test) for name, test in sorted(globals().items()) if name.startswith("test_")]
    return sum(await asyncio.gather(*tests))


sys.exit(1 if asyncio.run(main()) else 0)
