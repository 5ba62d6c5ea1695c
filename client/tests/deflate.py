"""ojin-client conform and compressed messages, against another library's server, against the mock in the clear and over
TLS, whose endpoint is none of that library's either, and against servers that get it wrong.
Usage: deflate.py BIN_DIR FIXTURES_DIR"""
import asyncio
import base64
import hashlib
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import wave
import zlib

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
import patient

client = pathlib.Path(sys.argv[1]) / "ojin-client"
speech = pathlib.Path(sys.argv[2]) / "speech/hello-1s.wav"
READY = '{"type":"sessionReady","payload":{"trace_id":"t","status":"success","load":0}}'
FRAME = struct.pack("!B16sQIII", 0, bytes(16), 0, 0, 0, 0)
AGREED = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"


def plan_of(folder, *steps):
    path = pathlib.Path(folder) / "plan.json"
    path.write_text(json.dumps({"conform": 1, "steps": [{"do": "connect"}, *steps]}))
    return path


def start(port, plan, *options):
    environment = dict(os.environ, OJIN_URL=f"ws://127.0.0.1:{port}/realtime", OJIN_API_KEY="k", OJIN_CONFIG_ID="c",
                       CONFORM_PLAN=str(plan))
    return subprocess.Popen([client, "conform", *options], stdout=subprocess.PIPE, text=True, env=environment)


def seen_by(process):
    out, _ = process.communicate(timeout=60)
    return [json.loads(line) for line in out.splitlines()]


async def talk(plan, *options):
    """A whole session with the other library's server: what was agreed on, the speech it got, what the client saw."""
    got = {"audio": b"", "extensions": None, "ended": False}
    large = FRAME[:-4] + struct.pack("!I", 1) + struct.pack("!IB", 3000000, 2) + bytes(range(250)) * 12000

    async def serve(peer):
        got["extensions"] = [extension.name for extension in peer.extensions]
        await peer.send(READY)
        await peer.send(FRAME)
        await peer.send([large[:1000], large[1000:2000000], large[2000000:]])
        async for message in peer:
            if isinstance(message, bytes):
                got["audio"] += message[13:]
            elif json.loads(message)["type"] == "endInteraction":
                got["ended"] = True
                await peer.ping()
                await peer.send(b"\x01" + FRAME[1:])

    async with patient.serve(serve, "127.0.0.1", 0, compression="deflate") as server:
        process = start(server.sockets[0].getsockname()[1], plan, *options)
        seen = await asyncio.get_running_loop().run_in_executor(None, seen_by, process)
    return got, seen


def check_talk(folder, options, agreed):
    with wave.open(str(speech)) as sound:
        samples = sound.readframes(sound.getnframes())
    got, seen = asyncio.run(talk(plan_of(folder, {"do": "speak", "file": str(speech)}, {"do": "end"}), *options))
    frames = [line for line in seen if line["seen"] == "frame"]
    assert got["extensions"] == agreed, got["extensions"]
    assert got["audio"] == bytes(1280) + samples, len(got["audio"])
    assert got["ended"] and len(frames) == 3, seen
    assert frames[1]["image"] == zlib.crc32(bytes(range(250)) * 12000), frames[1]
    assert seen[-1]["seen"] == "closed" and seen[-1]["code"] == 1000, seen[-1]


def check_mock(folder, *options):
    """A session with the mock that takes the offer: all the speech comes there, its frames come here."""
    journal = pathlib.Path(folder) / "mock.journal"
    mock = subprocess.Popen([client.parent / "ojin-mock", "--port", "0", "--quirk", "permessage-deflate=taken", "--key",
                             "mock-key", "--log", "quiet", "--size", "320x240", "--speed", "20", "--journal", journal,
                             *options], stdout=subprocess.PIPE, text=True)
    ready = json.loads(mock.stdout.readline())
    plan = plan_of(folder, {"do": "speak", "file": str(speech), "after": "ready"}, {"do": "end", "after": "sent"})
    environment = dict(os.environ, OJIN_URL=ready["url"], OJIN_API_KEY="mock-key", OJIN_CONFIG_ID="c", CONFORM_PLAN=str(plan),
                       CONFORM_CA=ready.get("ca", ""))
    seen = seen_by(subprocess.Popen([client, "conform"], stdout=subprocess.PIPE, text=True, env=environment))
    mock.terminate()
    assert mock.wait(60) == 0
    entries = [json.loads(line) for line in journal.read_text().splitlines()]
    sent = [entry["bytes"] for entry in entries if entry.get("from") == "client" and entry["event"] == "binary"]
    with wave.open(str(speech)) as sound:
        assert sum(sent) == 13 * len(sent) + 1280 + 2 * sound.getnframes(), sent
    assert "permessage-deflate" in entries[1]["text"], entries[1]
    assert not [entry for entry in entries if entry.get("kind") == "finding"], entries
    assert any(line["seen"] == "frame" and line["final"] for line in seen), seen
    assert [line["code"] for line in seen if line["seen"] == "closed"] == [1000], seen


def frame(opcode, data, rsv1=False, fin=True):
    head = bytes([(0x80 if fin else 0) | (0x40 if rsv1 else 0) | opcode])
    if len(data) < 126:
        return head + bytes([len(data)]) + data
    return head + struct.pack("!BH" if len(data) < 65536 else "!BQ", 126 if len(data) < 65536 else 127, len(data)) + data


def pack(data):
    packer = zlib.compressobj(wbits=-15)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def session(answer, *pieces, one_by_one=False):
    def serve(connection):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        key = [line.split(b": ")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key")][0]
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        data = (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "".join(f"Sec-WebSocket-Extensions: {line}\r\n" for line in answer).encode()
                + b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + b"".join(pieces))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(data), 1 if one_by_one else len(data)):
            connection.sendall(data[at:at + 1] if one_by_one else data)
        connection.settimeout(10)
        while connection.recv(65536):
            pass
    return serve


def close(code):
    return frame(8, struct.pack("!H", code))


# name, server, what the client must say it saw: (kind, member, value), what it must not have seen
CASES = [
    ("a whole session in single bytes", session([AGREED], frame(1, pack(READY.encode()), True),
                                               frame(2, pack(FRAME), True), frame(2, FRAME), close(1000),
                                               one_by_one=True),
     [("ready", "load", 0), ("frame", "index", 0), ("closed", "code", 1000)], "error"),
    ("fragments with a ping between", session([AGREED], frame(1, pack(READY.encode()), True),
                                             frame(2, pack(FRAME)[:5], True, False), frame(9, b"x"),
                                             frame(0, pack(FRAME)[5:]), close(1000)),
     [("frame", "index", 0), ("closed", "code", 1000)], "error"),
    ("a server window of its own", session([AGREED + "; server_max_window_bits=9"], frame(1, READY.encode()), close(1000)),
     [("ready", "load", 0), ("closed", "code", 1000)], "error"),
    ("declined", session([], frame(1, READY.encode()), frame(2, FRAME), close(1000)),
     [("frame", "index", 0), ("closed", "code", 1000)], "error"),
    ("declined, and compressed all the same", session([], frame(1, READY.encode()), frame(2, pack(FRAME), True)),
     [("ready", "load", 0), ("closed", "code", 1006)], "frame"),
    ("with its context taken over", session(["permessage-deflate"], frame(1, READY.encode())),
     [("error", "code", "NO_CONNECTION"), ("closed", "code", 1006)], "ready"),
    ("a client window that was not offered", session([AGREED + "; client_max_window_bits=9"], frame(1, READY.encode())),
     [("error", "code", "NO_CONNECTION")], "ready"),
    ("an unknown parameter", session([AGREED + "; more=1"], frame(1, READY.encode())), [("error", "code", "NO_CONNECTION")],
     "ready"),
    ("another extension", session(["x-webkit-deflate-frame"], frame(1, READY.encode())),
     [("error", "code", "NO_CONNECTION")], "ready"),
    ("twice", session([AGREED, AGREED], frame(1, READY.encode())), [("error", "code", "NO_CONNECTION")], "ready"),
    ("no compressed data", session([AGREED], frame(1, READY.encode()), frame(2, b"\x07\x00\x01", True)),
     [("ready", "load", 0), ("closed", "code", 1006)], "frame"),
    ("a continuation that says it is compressed", session([AGREED], frame(1, READY.encode()),
                                                         frame(2, pack(FRAME)[:5], True, False),
                                                         frame(0, pack(FRAME)[5:], True)),
     [("ready", "load", 0), ("closed", "code", 1006)], "frame"),
    ("what grows past the largest message", session([AGREED], frame(1, READY.encode()),
                                                   frame(2, pack(bytes(64 * 1024 * 1024)), True)),
     [("ready", "load", 0)], "frame"),
]


def check_case(folder, serve, expected, unwanted):
    plan = plan_of(folder, {"do": "wait", "ms": 20000}, {"do": "close"})
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def accept():
            connection, _ = listener.accept()
            with connection:
                try:
                    serve(connection)
                except OSError:
                    pass  # the client has gone, as it may
        thread = threading.Thread(target=accept)
        thread.start()
        seen = seen_by(start(listener.getsockname()[1], plan))
        thread.join()
    for kind, member, value in expected:
        assert any(line["seen"] == kind and line.get(member) == value for line in seen), (kind, member, value, seen)
    assert not any(line["seen"] == unwanted for line in seen), (unwanted, seen)
    assert seen[-1]["seen"] == "closed", seen


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        rows = [("another library's server takes it", check_talk, ([], ["permessage-deflate"])),
                ("and is not offered it", check_talk, (["--no-deflate"], [])),
                ("the mock takes it", check_mock, ()),
                ("the mock takes it over TLS", check_mock, ("--tls",))]
        rows += [(name, check_case, rest) for name, *rest in CASES]
        for name, check, rest in rows:
            try:
                check(folder, *rest)
                print("ok  ", name)
            except AssertionError as problem:
                failures += 1
                print("FAIL", name, problem)
    return 1 if failures else 0


sys.exit(main())
