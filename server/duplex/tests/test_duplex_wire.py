#!/usr/bin/python3
"""The mock's full-duplex service over a real socket: a client that talks a WAV file hears the utterance of the fixtures
sample for sample, the queue counts across connections, and a server that goes says so.

Nothing here depends on how fast the machine is: what is held is order, counts and bytes.
"""

import array
import asyncio
import base64
import json
import pathlib
import signal
import sys
import tempfile
import urllib.parse
import urllib.request

from duplex_mock import PATIENCE_S, SECOND, UPDATE, Mock, begin, expect, picture, receive, wav

APPENDS_MAX = 60


def append(samples, picture=None, **members):
    message = {"type": "input_audio_buffer.append", "audio": base64.b64encode(samples.tobytes()).decode()}
    if picture is not None:
        message["video_frames"] = [picture]
    message.update(members)
    return json.dumps(message)


async def hear_turn(connection, shown):
    """Talks, goes on with silence, and takes in the first turn and the listen after it."""
    speech = wav("hello-1s.wav")
    speech.extend([0.0] * (-len(speech) % SECOND))
    silence = array.array("f", [0.0] * SECOND)
    deltas = []
    for n in range(APPENDS_MAX):
        samples = speech[n * SECOND:(n + 1) * SECOND] or silence
        await connection.send(append(samples, shown))
        # The next second goes out when this one has been answered; while a turn is played out nothing comes.
        try:
            message = json.loads(await asyncio.wait_for(connection.recv(), 1))
        except asyncio.TimeoutError:
            continue
        if message["type"] == "response.output_audio.delta":
            deltas.append(message)
        elif deltas:
            assert message["type"] == "response.listen", message
            return deltas
        else:
            assert message["type"] == "response.listen", message
    raise AssertionError("no turn came to its end")


async def talks(mode, shown):
    async with Mock("--profile", mode) as mock:
        assert mock.ready["urls"]["duplex"].endswith("/v1/realtime"), mock.ready
        async with mock.connect(mode) as connection:
            await begin(connection)
            deltas = await hear_turn(connection, shown)
            await connection.send('{"type":"session.close","reason":"user_stop"}')
            while (message := await receive(connection))["type"] != "session.closed":
                pass
            assert message["reason"] == "stopped", message
    heard = array.array("f")
    for delta in deltas:
        heard.frombytes(base64.b64decode(delta["audio"], validate=True))
    assert heard == wav("answer-1.wav"), f"{len(heard)} samples came"
    lengths = [len(base64.b64decode(delta["audio"])) // 4 for delta in deltas]
    assert lengths[0] < 24000 and lengths[-1] < 24000 and set(lengths[1:-1]) == {24000}, lengths
    assert [delta["end_of_turn"] for delta in deltas] == [False] * (len(deltas) - 1) + [True], deltas
    assert "".join(delta["text"] for delta in deltas) == "Hello! It is good to hear you. How can I help?"
    assert all(len(delta["text"]) <= 27 for delta in deltas)
    assert "MUST" not in mock.findings, mock.findings


async def test_what_is_heard_is_the_fixture_in_audio_mode():
    await talks("audio", None)


async def test_and_in_video_mode():
    await talks("video", picture())


async def test_the_queue_counts_across_connections():
    async with Mock("--workers", "1", "--queue", "1", "--speed", "20") as mock:
        async with mock.connect() as first:
            await begin(first)
            async with mock.connect() as second:
                queued = await expect(second, "session.queued")
                assert queued["position"] == 1 and queued["ticket_id"] and queued["queue_length"] == 1, queued
                async with mock.connect() as third:
                    error = await expect(third, "error")
                    assert error["error"]["code"] == "queue_full", error
                    await third.wait_closed()
                    assert third.close_code == 1013, third.close_code
                await expect(second, "session.queue_update")
                await first.close()
                while (message := await receive(second))["type"] != "session.queue_done":
                    assert message["type"] == "session.queue_update", message


async def test_what_is_no_json_closes_with_1003():
    async with Mock() as mock:
        async with mock.connect() as connection:
            await begin(connection)
            await connection.send("hello")
            await connection.wait_closed()
            assert connection.close_code == 1003, connection.close_code


async def test_a_server_that_goes_says_so():
    async with Mock() as mock:
        async with mock.connect() as connection:
            await begin(connection)
            mock.process.send_signal(signal.SIGTERM)
            closed = await expect(connection, "session.closed")
            assert closed["reason"] == "server_shutdown", closed
            await connection.wait_closed()
            assert connection.close_code == 1001, connection.close_code


async def test_long_messages_stand_in_both_journals():
    seconds = (1, 14, 40)
    messages = [append(array.array("f", [0.25] * SECOND * count)) for count in seconds]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "journal.jsonl")
        async with Mock("--profile", "audio", "--journal", str(path)) as mock:
            async with mock.connect() as connection:
                await begin(connection)
                for message in messages:
                    await connection.send(message)
                await connection.send('{"type":"session.close","reason":"user_stop"}')
                while (await receive(connection))["type"] != "session.closed":
                    pass
            asked = mock.ready["control"] + "journal?type=input_audio_buffer.append"
            kept = json.loads(await asyncio.to_thread(lambda: urllib.request.urlopen(asked, timeout=PATIENCE_S).read()))
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["text"] for line in lines if line.get("label") == "input_audio_buffer.append" and line["kind"] == "wire"] == messages
    assert "end" in {line.get("label") for line in lines[-4:]}, lines[-4:]
    assert [entry["bytes"] for entry in kept["entries"]] == [len(message) for message in messages], kept["found"]
    assert all(message.startswith(entry["text"]) for message, entry in zip(messages, kept["entries"]))
    assert "cannot write" not in mock.findings, mock.findings


async def test_a_card_breaks_one_session():
    async with Mock() as mock:
        async with mock.connect(more="&config_id=mock.worker-busy") as connection:
            error = await expect(connection, "error")
            assert error["error"] == {"code": "worker_busy", "message": error["error"]["message"],
                                      "type": "server_error"}, error
            await connection.wait_closed()
            assert connection.close_code == 1013, connection.close_code
        async with mock.connect() as connection:
            await begin(connection)


JOINED = """case duplex/test/joined
server {
  accept joined=2
  send queued
  wait 200ms
  send queue_done
  wait 200ms
  send queue_update
  serve until=close
}
"""
REQUEST = (b"GET /v1/realtime?mode=audio HTTP/1.1\r\nHost: mock\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")


async def test_a_response_leaves_with_the_messages_it_is_joined_with():
    with tempfile.NamedTemporaryFile("w", suffix=".session") as script:
        script.write(JOINED)
        script.flush()
        async with Mock("--script", script.name) as mock:
            reader, writer = await asyncio.open_connection("127.0.0.1", urllib.parse.urlparse(mock.ready["urls"]["duplex"]).port)
            writer.write(REQUEST)
            first = await asyncio.wait_for(reader.read(65536), PATIENCE_S)
            assert first.startswith(b"HTTP/1.1 101 "), first
            assert b"session.queued" in first and b"session.queue_done" in first, first
            assert b"session.queue_update" not in first, first
            assert b"session.queue_update" in await asyncio.wait_for(reader.read(65536), PATIENCE_S)
            writer.close()


CORKED = """case duplex/test/corked
server {{
  accept joined=16
  send queued
  {}
}}
"""


async def first_bytes(mock):
    reader, writer = await asyncio.open_connection("127.0.0.1", urllib.parse.urlparse(mock.ready["urls"]["duplex"]).port)
    writer.write(REQUEST)
    first = await asyncio.wait_for(reader.read(65536), PATIENCE_S)
    writer.close()
    return first


async def test_a_response_waits_for_nothing_behind_a_close():
    with tempfile.NamedTemporaryFile("w", suffix=".session") as waits, tempfile.NamedTemporaryFile("w", suffix=".session") as closes:
        for script, last in ((waits, "serve until=close"), (closes, "close code=1000")):
            script.write(CORKED.format(last))
            script.flush()
        async with Mock("--script", waits.name) as waiting, Mock("--script", closes.name) as closing:
            slow, fast = asyncio.create_task(first_bytes(waiting)), asyncio.create_task(first_bytes(closing))
            await asyncio.wait((slow, fast), return_when=asyncio.FIRST_COMPLETED)
            assert fast.done() and not slow.done(), (fast, slow)
            assert b"session.queued" in await fast and b"\x88\x02\x03\xe8" in await fast, await fast
            assert b"session.queued" in await slow, await slow


async def test_the_later_version_is_spoken():
    async with Mock("--profile", "duplex-later-audio") as mock:
        async with mock.connect() as connection:
            await expect(connection, "session.queue_done")
            await connection.send(json.dumps({"type": "session.init", "payload": {"system_prompt": "Hello"}}))
            await expect(connection, "session.created")
            audio = base64.b64encode(bytes(4 * SECOND)).decode()
            await connection.send(json.dumps({"type": "input.append", "input": {"audio": audio}}))
            message = await expect(connection, "response.output.delta")
            assert message["kind"] == "listen" and message["metrics"]["kv_cache_length"] > 0, message
        async with mock.connect() as connection:
            await expect(connection, "session.queue_done")
            await connection.send('{"type":"session.init","payload":{}}')
            await expect(connection, "session.created")


async def deployed(mock, mode):
    connection = await mock.connect(mode)
    created = await begin(connection)
    return connection, created["session_id"]


async def test_the_deployed_server_lets_in_and_speaks():
    async with Mock("--quirk", "deployed-server") as mock:
        connection, session = await deployed(mock, "chat")
        extensions = connection.response_headers.get("Sec-WebSocket-Extensions", "")
        assert extensions.startswith("permessage-deflate"), extensions
        await connection.send('{"type":"response.cancel"}')  # unknown: no answer
        silence = array.array("f", [0.0] * (SECOND // 4))
        for _ in range(4):  # each of them has its own result, though they are short
            await connection.send(append(silence))
            await expect(connection, "response.listen")
        await connection.send(UPDATE)
        assert (await expect(connection, "session.created"))["session_id"] == session
        await connection.send('{"type":"input_audio_buffer.append"}')
        assert (await expect(connection, "error"))["error"]["code"] == "inference_failed"
        await connection.send('{"type":"session.close"}')
        assert (await expect(connection, "session.closed"))["reason"] == "stopped"
        await asyncio.wait_for(connection.wait_closed(), PATIENCE_S)
        assert connection.close_code == 1000, connection.close_code
        connection, _ = await deployed(mock, "video")
        await connection.send('{"type":"input_audio_buffer.append","audio":"@@@@"}')
        await asyncio.wait_for(connection.wait_closed(), PATIENCE_S)
        assert connection.close_code == 1000 and not connection.messages, (connection.close_code, connection.messages)


async def test_a_full_context_of_the_deployed_server_lingers():
    async with Mock("--quirk", "deployed-server,cache-used=8190") as mock:
        connection, _ = await deployed(mock, "audio")
        second = append(array.array("f", [0.0] * SECOND))
        await connection.send(second)
        await expect(connection, "response.output_audio.delta")
        assert (await expect(connection, "session.closed"))["reason"] == "context_full"
        for _ in range(3):
            await connection.send(second)
            await expect(connection, "response.listen")
        await connection.send('{"type":"session.close","reason":"user_stop"}')
        await expect(connection, "session.closed")
        await asyncio.wait_for(connection.wait_closed(), PATIENCE_S)
        assert connection.close_code == 1000, connection.close_code


def main():
    failed = 0
    for name, test in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            asyncio.run(asyncio.wait_for(test(), PATIENCE_S))
            print(f"ok {name}")
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED {name}: {type(error).__name__}: {error}")
    sys.exit(1 if failed else 0)


main()
