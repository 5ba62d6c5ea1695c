"""ojin-client conform against servers that refuse, break RFC 6455 or vanish. Usage: refusals.py BIN_DIR"""
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

client = pathlib.Path(sys.argv[1]) / "ojin-client"
READY = b'{"type":"sessionReady","payload":{"trace_id":"t","status":"success","load":0}}'
PLAIN = b"No backend servers available."
FRAME = struct.pack("!B16sQIII", 0, bytes(16), 0, 0, 0, 0)
BODY = b'{"type":"errorResponse","payload":{"code":"AUTH_FAILED","message":"Invalid API key"}}'


def message(opcode, data, mask=False, fin=True):
    head = bytes([(0x80 if fin else 0) | opcode])
    bit = 0x80 if mask else 0
    if len(data) < 126:
        head += bytes([bit | len(data)])
    elif len(data) < 65536:
        head += struct.pack("!BH", bit | 126, len(data))
    else:
        head += struct.pack("!BQ", bit | 127, len(data))
    return head + (bytes(4) if mask else b"") + data


def close(code, reason=b""):
    return message(8, struct.pack("!H", code) + reason)


def read_head(connection):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = connection.recv(1)
        if not piece:
            break
        head += piece
    return head


def upgrade(connection):
    lines = read_head(connection).decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    key = {name.lower(): value for name, value in fields.items()}["sec-websocket-key"]
    digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n")


def drain(connection):
    connection.settimeout(10)
    try:
        while connection.recv(65536):
            pass
    except OSError:
        pass


def refuse(status, body, length=True):
    def serve(connection):
        read_head(connection)
        size = b"Content-Length: %d\r\n" % len(body) if length else b""
        connection.sendall(b"HTTP/1.1 " + status + b"\r\n" + size + b"\r\n" + body)
    return serve


def send(*pieces, reset=False):
    def serve(connection):
        upgrade(connection)
        for piece in pieces:
            connection.sendall(piece)
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            drain(connection)
    return serve


def hang_up(connection):
    read_head(connection)


# name, server, what the client must say it saw: (kind, member, value); the last closes the session
CASES = [
    ("a 401 with a body", refuse(b"401 Unauthorized", BODY),
     [("error", "code", "401"), ("error", "text", "AUTH_FAILED: Invalid API key"), ("closed", "code", 1006)]),
    ("a 503 whose body ends with the connection", refuse(b"503 Busy", b"busy", False),
     [("error", "code", "503"), ("error", "text", "busy"), ("closed", "code", 1006)]),
    ("a redirection on the same server", refuse(b"302 Found\r\nLocation: /elsewhere", b""),
     [("error", "code", "302"), ("closed", "code", 1006)]),
    ("a redirection to another server", refuse(b"307 Away\r\nLocation: http://127.0.0.1:1/realtime", b""),
     [("error", "code", "307"), ("closed", "code", 1006)]),
    ("hanging up in place of an answer", hang_up, [("error", "code", "NO_CONNECTION"), ("closed", "code", 1006)]),
    ("plain text and 1013", send(message(1, PLAIN), close(1013, b"later")),
     [("error", "text", PLAIN.decode()), ("closed", "code", 1013), ("closed", "text", "later")]),
    ("a close code of the server's own", send(message(1, READY), close(4001)),
     [("ready", "load", 0), ("closed", "code", 4001)]),
    ("a close without a code", send(message(1, READY), message(8, b"")), [("closed", "code", 1005)]),
    ("a fragmented frame with a ping inside",
     send(message(1, READY), message(2, FRAME[:9], fin=False), message(9, b"p"), message(0, FRAME[9:]), close(1000)),
     [("frame", "index", 0), ("closed", "code", 1000)]),
    ("a reset in the middle of a message", send(message(1, READY), message(2, FRAME)[:20], reset=True),
     [("ready", "load", 0), ("closed", "code", 1006)]),
    ("a masked frame", send(message(1, READY), message(2, FRAME, mask=True)),
     [("ready", "load", 0), ("closed", "code", 1006)]),
    ("a text that is no UTF-8", send(message(1, READY), message(1, b"\xff\xfe")),
     [("ready", "load", 0), ("closed", "code", 1006)]),
    ("a message past the largest", send(message(1, READY), message(2, bytes(16 * 1024 * 1024 + 1))),
     [("closed", "code", 1009)]),
]


def run(serve, plan):
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
        environment = dict(os.environ, OJIN_URL=f"ws://127.0.0.1:{listener.getsockname()[1]}/realtime",
                           OJIN_API_KEY="k", OJIN_CONFIG_ID="c", CONFORM_PLAN=str(plan))
        done = subprocess.run([client, "conform"], capture_output=True, text=True, timeout=60, env=environment)
        thread.join()
    return done


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder) / "plan.json"
        plan.write_text('{"conform":1,"steps":[{"do":"connect"},{"do":"wait","ms":20000},{"do":"close"}]}')
        for name, serve, expected in CASES:
            done = run(serve, plan)
            seen = [json.loads(line) for line in done.stdout.splitlines()]
            missing = [e for e in expected if not any(s["seen"] == e[0] and s.get(e[1]) == e[2] for s in seen)]
            partial = name.startswith(("a reset", "a masked")) and any(s["seen"] == "frame" for s in seen)
            good = not missing and not partial and done.returncode in (0, 1) and seen[-1]["seen"] == "closed"
            print("ok  " if good else "FAIL", name)
            if not good:
                failures += 1
                print(f"  exit {done.returncode}, missing {missing}, seen {seen}\n{done.stderr}")
    return 1 if failures else 0


sys.exit(main())
