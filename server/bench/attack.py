"""Attacks on a mock, one after another, while sound sessions go on beside them: attack.py [NAME…]

A table of attacks: what is sent, and how the mock may answer. Fifty sound sessions in a process of their own measure how
late frames come, before, during and after each attack, beside a bare timer of the same process, which tells how late the
machine itself is. An attack is held when each of its connections was answered in a way that its row allows, the mock
answers its control interface at the end, no sound session was lost, their frames were no later than the timer plus
PACE_MS, and its memory came back to where it was, but for MEMORY_MB and the
HEAP_MB that the mock keeps. Where the timer itself is too late the pace is
not judged.

Only 127.0.0.1 is ever spoken to. The last line sums up; exit 0: all held, 1: one did not, 2: an unknown name.
"""
import base64
import collections
import contextlib
import hashlib
import itertools
import json
import multiprocessing
import os
import re
import resource
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zlib

BIN = os.environ["BIN_DIR"]
MOCK, CLIENT, CONFORM = (os.path.join(BIN, name) for name in ("ojin-mock", "ojin-client", "ojin-conform"))
SOUND_SESSIONS = 50
FRAME_S = 1 / 26  # silence comes a little faster than 25 a second
PACE_MS = 40  # later than the bare timer
TIMER_MS = 25  # with a timer later than that the machine is too busy to judge the pace
HEAP_MB = 128  # that the mock keeps once it had it: no growth (server/mock/heap.c)
MEMORY_MB = 24  # what may be left beside
ATTACK_S = 1.5
QUIET_S = 1.0
SETTLE_S = 6
ANSWER_S = 5
LITTLE_MB = 64
CLIENT_S = 30  # a client is over by then, whatever its server does
CLIENT_MB = 300  # and the most any program beside the mock takes
SPEECH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures/speech/hello-1s.wav")
OJIN, VIDEO = "/realtime?config_id=any", "/v1/realtime?mode=video"


# ---- what is sent ----


def head(path=OJIN, extra=""):
    return (f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Sec-WebSocket-Version: 13\r\nAuthorization: attack-key\r\n{extra}\r\n").encode()


def frame(opcode, data=b"", fin=True, rsv=0, length=None):
    """Masked with zeros, so that it need not be masked."""
    size = len(data) if length is None else length
    first = (fin << 7) | (rsv << 4) | opcode
    if size < 126:
        return struct.pack("!BB4x", first, 0x80 | size) + data
    if size < 65536:
        return struct.pack("!BBH4x", first, 0xFE, size) + data
    return struct.pack("!BBQ4x", first, 0xFF, size) + data


SILENCE = frame(2, struct.pack("!BQI", 1, 1, 0) + bytes(1280))


def append(audio=b"A" * 43008, pictures=()):
    return frame(1, b'{"type":"input_audio_buffer.append","audio":"' + audio + b'","video_frames":['
                 + b",".join(b'"' + base64.b64encode(one) + b'"' for one in pictures) + b"]}")


def jpeg(side, scans, progressive=True):
    """A grey picture: nothing but zeros in each scan, so that it is small and costs as much as any."""
    def segment(marker, data):
        return struct.pack("!BBH", 0xFF, marker, len(data) + 2) + data

    blocks = ((side + 7) // 8) ** 2
    out = b"\xff\xd8" + segment(0xDB, b"\0" + b"\1" * 64) + segment(0xC2 if progressive else 0xC0, struct.pack("!BHHBBBB", 8, side, side, 1, 1, 0x11, 0))
    out += segment(0xC4, b"\0" + b"\1" + bytes(15) + b"\0") + segment(0xC4, b"\x10" + b"\1" + bytes(15) + b"\xe0")
    for scan in range(scans):
        out += segment(0xDA, struct.pack("!BBBBBB", 1, 1, 0, scan, scan, 0))
        if scan == 0:
            out += bytes(blocks // 8)
        else:
            bits = "".join("0" + format(run - (1 << 14), "014b") for run in [(1 << 15) - 1] * (blocks // ((1 << 15) - 1)))
            out += int(bits + "1" * (-len(bits) % 8), 2).to_bytes((len(bits) + 7) // 8, "big").replace(b"\xff", b"\xff\0") if bits else b""
    return out + b"\xff\xd9"


def deflated(size):
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (squeezed.compress(bytes(size)) + squeezed.flush(zlib.Z_SYNC_FLUSH))[:-4]


# ---- how it is sent ----


def connect(port):
    peer = socket.create_connection(("127.0.0.1", port), ANSWER_S)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return peer


def reset(peer):
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def outcome(heard, over):
    """What a connection came to: the status of a refusal, the code of a close, an error's code; "open", "ended" or "reset"."""
    if heard.startswith(b"HTTP/1.1 ") and not heard.startswith(b"HTTP/1.1 101"):
        return heard[9:12].decode()
    close = re.search(rb"\x88[\x02-\x7d](..)", heard[-300:], re.S) if heard else None
    if close and 1000 <= struct.unpack("!H", close[1])[0] < 5000:
        return "close " + str(struct.unpack("!H", close[1])[0])
    error = re.findall(rb'"code"\s*:\s*"([A-Za-z_]+)"', heard)
    return "error " + error[-1].decode() if error else over


class Connection:
    def __init__(self, port, opening):
        self.heard, self.over, self.waiting = b"", "open", b""
        try:
            self.peer = connect(port)
            self.peer.setblocking(False)
            self.waiting = opening
        except OSError as error:
            self.peer, self.over = None, "refused" if isinstance(error, ConnectionRefusedError) else type(error).__name__

    def pump(self):
        if self.over != "open":
            return
        try:
            while self.waiting:
                self.waiting = self.waiting[self.peer.send(self.waiting[: 1 << 18]):]
        except BlockingIOError:
            pass
        except OSError:
            self.over = "reset"
        try:
            while data := self.peer.recv(1 << 18):
                self.heard = (self.heard + data)[:512] if len(self.heard) < 512 else self.heard[:256] + (self.heard[256:] + data)[-2048:]
            self.over = "ended"
        except BlockingIOError:
            pass
        except OSError:
            self.over = "reset"


def flood(port, connections, opening, payload=b"", drip=0):
    """Keeps `payload` going on each connection; with `drip` that many bytes of the opening at a time, twenty times a second."""
    begun = time.monotonic()
    each = [Connection(port, b"" if drip else opening) for _ in range(connections)]
    sent, next_drip = 0, begun
    while time.monotonic() < begun + ATTACK_S:
        if drip and time.monotonic() >= next_drip:
            for one in each:
                one.waiting += opening[sent : sent + drip]
            sent, next_drip = sent + drip, next_drip + 0.05
        for one in each:
            if not drip and not one.waiting and one.over == "open":
                one.waiting = payload
            one.pump()
        time.sleep(0.002)
    until = time.monotonic() + 0.5
    while time.monotonic() < until and any(one.over == "open" for one in each):
        for one in each:
            one.pump()
        time.sleep(0.01)
    found = collections.Counter(outcome(one.heard, one.over) for one in each)
    for one in each:
        if one.peer is not None:
            one.peer.close()
    return found


def resets(port):
    """A session that is reset after each of its bytes: each of the request, every seventh of what follows."""
    session = head() + SILENCE
    found = collections.Counter()
    for cut in [*range(1, len(head()) + 20), *range(len(head()) + 20, len(session), 7)]:
        peer = connect(port)
        peer.sendall(session[:cut])
        reset(peer)
        found["reset by us"] += 1
    return found


def control_flood(port):
    """Answers of the control interface that nobody reads."""
    return flood(port, 100, b"GET /__mock/journal HTTP/1.1\r\nHost: localhost\r\n\r\n")


# ---- programs of their own ----


class Mock:
    def __init__(self, *options, files=None, **more):
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        more.setdefault("stderr", subprocess.DEVNULL)
        self.process = subprocess.Popen([MOCK, "--port", "0", "--size", "320x240", *options], stdout=subprocess.PIPE, preexec_fn=limit, **more)
        self.port = json.loads(self.process.stdout.readline())["port"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def memory_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def answers(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/__mock/health", timeout=ANSWER_S) as answer:
            return answer.status == 200


def serves(port):
    """Does a sound session get its first frames?"""
    with connect(port) as peer:
        peer.sendall(head() + SILENCE)
        heard = b""
        while len(heard) < 8000:
            data = peer.recv(1 << 16)
            if not data:
                return "no session"
            heard += data
        return "served"


def few_descriptors(_):
    with Mock("--log", "quiet", files=40) as mock:
        found = flood(mock.port, 100, head() + SILENCE)
        time.sleep(0.5)
        return collections.Counter({"after them " + serves(mock.port): 1, f"{sum(found.values())} tried": 1})


def full_disk(_):
    with Mock("--journal", "/dev/full") as mock:
        found = collections.Counter({"journal: " + serves(mock.port): 1})
    with tempfile.TemporaryDirectory() as folder:
        for report in ("--json", "--html", "--junit"):
            done = subprocess.run([CONFORM, "run", "--memory", "--run", "ojin/ready/opening-silence", report, "/dev/full"], cwd=folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
            found[f"report: exit {done.returncode}"] += 1
    return found


def memory_runs_out(_):
    """A mock that may take LITTLE_MB more than it has, of those who leave messages unfinished and those who come in numbers."""
    with Mock("--log", "quiet") as mock:
        with open(f"/proc/{mock.process.pid}/status", encoding="ascii") as status:
            size = next(int(line.split()[1]) for line in status if line.startswith("VmSize")) * 1024
        resource.prlimit(mock.process.pid, resource.RLIMIT_AS, (size + (LITTLE_MB << 20),) * 2)
        flood(mock.port, 40, head(VIDEO) + UPDATE + frame(1, b"a" * 65536, length=8 << 20), b"a" * 65536)
        flood(mock.port, 400, head() + SILENCE)
        time.sleep(0.5)
        return collections.Counter({"after them " + serves(mock.port): 1})


# ---- servers that are hostile to the reference client ----


def accepted(request):
    key = re.search(rb"Sec-WebSocket-Key: *(\S+)", request, re.I)[1]
    proof = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    return b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + proof + b"\r\n\r\n"


def unmasked(opcode, data=b"", fin=True, length=None):
    size = len(data) if length is None else length
    form = bytes([size]) if size <= 125 else struct.pack("!BH", 126, size) if size < 1 << 16 else struct.pack("!BQ", 127, size)
    return bytes([(fin << 7) | opcode]) + form + data


READY = {  # what begins a session
    "ojin": unmasked(1, b'{"type":"sessionReady","payload":{"trace_id":"t","status":"success","load":0,"parameters":null,"timestamp":1}}'),
    "duplex": unmasked(1, b'{"type":"session.queue_done"}') + unmasked(1, b'{"type":"session.created","session_id":"s","prompt_length":1}'),
    "interview": unmasked(1, b'{"type":"status","status":"connected","message":"m"}'),
}
COLOURED = b"".join(unmasked(1, text % (b'"code":"\\u001b[31mX","message":"\\u001b]0;x\\u0007"')) for text in (
    b'{"type":"errorResponse","payload":{%s,"interactionId":null,"timestamp":1}}', b'{"type":"error","error":{%s,"type":"client_error"}}', b'{"type":"error",%s}'))
SERVERS = {  # what is said in place of a 101, or None for a session that begins; and what then, until the client goes
    "head-without-end": (b"HTTP/1.1 101 X\r\nX: ", b"a" * 65536),
    "body-without-end": (b"HTTP/1.1 401 No\r\n\r\n", b"b" * 65536),
    "frame-of-2-to-the-63": (None, unmasked(2, bytes(65536), length=(1 << 63) - 1)),
    "message-without-end": (None, unmasked(1, b"a" * 65536, fin=False) + unmasked(0, b"a" * 65536, fin=False) * 300),
    "pings": (None, unmasked(9, b"p" * 125) * 500),
    "empty-messages": (None, unmasked(2) * 1000),
    "nested": (None, unmasked(1, b"[" * 60000)),
    "sizes-that-lie": (None, unmasked(2, b"\1" + b"\xff" * 500000)),
    "terminal-escapes": (None, COLOURED),
}
COMMANDS = {"ojin": ("speak", SPEECH, "--no-video"), "duplex": ("talk", "--audio", SPEECH),
            "interview": ("interview", "--audio", SPEECH)}


def hostile_server(listener, ready, begin, again):
    listener.settimeout(ANSWER_S)
    with contextlib.suppress(OSError):
        while True:
            peer, _ = listener.accept()
            with peer, contextlib.suppress(OSError):
                peer.settimeout(ANSWER_S)
                request = b""
                while b"\r\n\r\n" not in request:
                    request += peer.recv(4096) or b"\r\n\r\n"
                peer.sendall(accepted(request) + ready if begin is None else begin)
                until = time.monotonic() + ATTACK_S
                while time.monotonic() < until:
                    peer.sendall(again)


def client_meets(family, command, begin, again):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=hostile_server, args=(listener, READY[family], begin, again), daemon=True).start()
        url = f"ws://127.0.0.1:{listener.getsockname()[1]}"
        environment = {**os.environ, "OJIN_URL": url + "/realtime", "DUPLEX_URL": url + "/v1/realtime", "INTERVIEW_URL": url + "/interviews/x/connect",
                       "OJIN_API_KEY": "attack-key", "OJIN_CONFIG_ID": "c", "INTERVIEW_TOKEN": "attack-key"}
        quiet = () if again is COLOURED else ("--quiet",)
        with subprocess.Popen([CLIENT, *command, *quiet], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as client:
            try:
                said, _ = client.communicate(timeout=CLIENT_S)
            except subprocess.TimeoutExpired:
                client.kill()
                return "does not end"
        if again is COLOURED and b"[31mX" not in said:
            return "does not tell the error"
        return "writes what a terminal obeys" if b"\x1b" in said or b"\x07" in said else f"exit {client.returncode}"


def hostile_servers(_):
    found = collections.Counter()
    for (family, command), (name, server) in itertools.product(COMMANDS.items(), SERVERS.items()):
        came_to = client_meets(family, command, *server)
        found[came_to if came_to == "exit 1" else f"{family} {name}: {came_to}"] += 1
    grown = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    found["memory bounded" if grown < CLIENT_MB else f"memory of {grown:.0f} MB"] += 1
    return found


def closed_pipe(_):
    reading, writing = os.pipe()
    os.close(reading)
    with Mock("--log", "debug", stderr=writing) as mock:
        os.close(writing)
        return collections.Counter(serves(mock.port) for _ in range(3))


def lying_waves(_):
    """Sound files whose headers say what they do not hold."""
    def wave(channels=1, rate=16000, bits=16, data=0xFFFFFFFF, kind=1, size=0xFFFFFFFF):
        return (b"RIFF" + struct.pack("<I", size) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, kind, channels, rate, rate * 2 & 0xFFFFFFFF, 2, bits)
                + b"data" + struct.pack("<I", data) + bytes(64))

    lies = [wave(), wave(channels=0), wave(channels=65535), wave(rate=0), wave(rate=0x7FFFFFFF), wave(bits=0), wave(bits=65535), wave(kind=0x55), wave(data=0), b"RIFF", b""]
    found = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for number, lie in enumerate(lies):
            path = os.path.join(folder, f"{number}.wav")
            with open(path, "wb") as file:
                file.write(lie)
            done = subprocess.run([CLIENT, "speak", path, "--no-video", "--url", f"ws://127.0.0.1:{port}/realtime", "--key", "k", "--config", "c", "--timeout", "1"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=30, check=False)
            refused = done.returncode == 2 and f"'{path}'" in done.stderr
            found["refused by name" if refused else "as much as is there" if done.returncode == 1 and number == 0 else f"{number}: exit {done.returncode}"] += 1
    return found


# ---- the table: a name, what is done, and what each connection may come to ----

REFUSED = r"4\d\d|503|431"
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover\r\n"
LET_BE = "open"  # it costs little, so it may stay
UPDATE = frame(1, b'{"type":"session.update","session":{"instructions":"x"}}')
ENDED = rf"{REFUSED}|close \d+|error \w+|ended|reset"


def flooding(connections, opening, payload=b"", drip=0):
    return lambda port: flood(port, connections, opening, payload, drip)


ATTACKS = [
    ("slow-handshakes", flooding(200, head(), drip=1), rf"{LET_BE}|{ENDED}"),
    ("half-open", flooding(500, b""), rf"{LET_BE}|{ENDED}"),
    ("header-flood", flooding(20, b"GET /realtime HTTP/1.1\r\n", b"X-A: b\r\n" * 4000), ENDED),
    ("header-without-end", flooding(20, b"GET /realtime HTTP/1.1\r\nX-A: ", b"a" * 65536), ENDED),
    ("line-without-end", flooding(20, b"GET /", b"a" * 65536), ENDED),
    ("resets-at-every-byte", resets, "reset by us"),
    ("tiny-fragments", flooding(10, head() + frame(1, b"{", fin=False), frame(0, b"a", fin=False) * 2000), rf"{LET_BE}|{ENDED}"),
    ("empty-fragments", flooding(10, head() + frame(1, b"{", fin=False), frame(0, fin=False) * 2000), rf"{LET_BE}|{ENDED}"),
    ("pings", flooding(10, head(), frame(9, b"p" * 125) * 500), rf"{LET_BE}|{ENDED}"),
    ("pings-unanswered-pongs", flooding(10, head(), frame(10, b"p" * 125) * 500), rf"{LET_BE}|{ENDED}"),
    ("frame-of-2-to-the-63", flooding(50, head() + frame(2, length=(1 << 63) - 1)), rf"{LET_BE}|{ENDED}"),
    ("message-begun-of-8-mb", flooding(40, head(VIDEO) + UPDATE + frame(1, b"a" * 65536, length=8 << 20)), rf"{LET_BE}|{ENDED}"),
    ("messages-too-large", flooding(10, head(), frame(2, bytes(600 * 1024))), ENDED),
    ("json-huge", flooding(4, head(VIDEO), frame(1, b'"' + b"a" * (8 << 20) + b'"')), rf"{LET_BE}|{ENDED}"),
    ("json-nested", flooding(10, head(VIDEO), frame(1, b"[" * 100000)), rf"{LET_BE}|{ENDED}"),
    ("json-escapes", flooding(4, head(VIDEO), frame(1, b'{"a":"' + b"\\u0041" * 100000 + b'"}')), rf"{LET_BE}|{ENDED}"),
    ("json-numbers", flooding(4, head(VIDEO), frame(1, b"[" + b"1," * 65000 + b"1]")), rf"{LET_BE}|{ENDED}"),
    ("secret-that-repeats", flooding(4, head(VIDEO + "&token=" + "a" * 6000 + "b"), frame(1, b"a" * 250000)), rf"{LET_BE}|{ENDED}"),
    ("secrets-side-by-side", flooding(4, head(VIDEO + "&token=12345678&a_token=zzzzzzzz"), frame(1, b"12345678" * 31000)), rf"{LET_BE}|{ENDED}"),
    ("base64-bomb", flooding(2, head(VIDEO) + UPDATE, append(b"A" * (7 << 20))), rf"{LET_BE}|{ENDED}"),
    ("compression-bomb", flooding(4, head(extra=DEFLATE) + frame(2, deflated(256 << 20), rsv=4)), ENDED),
    ("image-65535", flooding(4, head(VIDEO) + UPDATE, append(pictures=[jpeg(65535, 0)])), rf"{LET_BE}|{ENDED}"),
    ("image-of-thousands-of-scans", flooding(2, head(VIDEO) + UPDATE, append(pictures=[jpeg(2048, 64)])), rf"{LET_BE}|{ENDED}"),
    ("image-progressive-4096", flooding(2, head(VIDEO) + UPDATE, append(pictures=[jpeg(4096, 60)])), rf"{LET_BE}|{ENDED}"),
    ("control-unread", control_flood, rf"200|{LET_BE}|{ENDED}"),
    ("thousands-of-sessions", flooding(3000, head()), rf"{LET_BE}|{ENDED}|refused|TimeoutError"),
    ("lying-waves", lying_waves, "refused by name|as much as is there"),
    ("descriptors-run-out", few_descriptors, r"after them served|\d+ tried"),
    ("full-disk", full_disk, r"journal: served|report: exit 3"),
    ("closed-pipe", closed_pipe, "served"),
    ("memory-runs-out", memory_runs_out, "after them served"),
    ("hostile-servers", hostile_servers, "exit 1|memory bounded"),
]
APART = ("thousands-of-sessions", "lying-waves", "descriptors-run-out", "full-disk", "closed-pipe", "memory-runs-out",
         "hostile-servers")  # with programs of their own, or too many for a mock with much else to do


# ---- the sound sessions beside ----


class Sound:
    def __init__(self, port):
        self.peer = connect(port)
        self.peer.sendall(head() + SILENCE)
        self.peer.setblocking(False)
        self.buffer, self.last, self.shaken = bytearray(), None, False

    def take(self, now, late):
        """Reads what is there; adds how late each frame was. False: the session is over."""
        try:
            data = self.peer.recv(1 << 18)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        self.buffer += data
        if not self.shaken:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return True
            self.shaken = self.buffer.startswith(b"HTTP/1.1 101")
            del self.buffer[: end + 4]
        return self.shaken and self.frames(now, late)

    def frames(self, now, late):
        while len(self.buffer) >= 10:
            size, start = self.buffer[1] & 0x7F, 2
            if size == 126:
                size, start = struct.unpack_from("!H", self.buffer, 2)[0], 4
            elif size == 127:
                size, start = struct.unpack_from("!Q", self.buffer, 2)[0], 10
            if len(self.buffer) < start + size:
                break
            opcode = self.buffer[0] & 15
            if opcode == 9:
                self.peer.send(frame(10, bytes(self.buffer[start : start + size])))
            if opcode == 2:
                if self.last is not None:
                    late.append(max(0.0, now - self.last - FRAME_S))
                self.last = now
            del self.buffer[: start + size]
            if opcode == 8:
                return False
        return True


def sound_sessions(port, pipe):
    """Until told to end; each "mark" on the pipe gives what was measured since the last: lateness of frames and timer, sessions alive."""
    chosen = selectors.DefaultSelector()
    alive = [Sound(port) for _ in range(SOUND_SESSIONS)]
    for one in alive:
        chosen.register(one.peer, selectors.EVENT_READ, one)
    late, ticks, due = [], [], time.monotonic() + FRAME_S
    while True:
        for key, _ in chosen.select(max(0, due - time.monotonic())):
            if not key.data.take(time.monotonic(), late):
                chosen.unregister(key.fileobj)
                alive.remove(key.data)
        now = time.monotonic()
        if now < due:
            continue
        ticks.append(now - due)
        due = max(due + FRAME_S, now)
        if pipe.poll():
            if pipe.recv() == "end":
                return
            pipe.send((late, ticks, len(alive)))
            late, ticks = [], []


def p99_ms(values):
    return 1000 * sorted(values)[min(len(values) - 1, len(values) * 99 // 100)] if values else float("inf")


class Pace:
    def __init__(self, port):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=sound_sessions, args=(port, theirs), daemon=True)
        self.process.start()
        time.sleep(QUIET_S)
        self.mark()

    def mark(self):
        """(p99 of the frames, p99 of the timer, sessions alive) since the last mark."""
        self.pipe.send("mark")
        if not self.pipe.poll(30):
            return float("inf"), 0.0, 0
        late, ticks, alive = self.pipe.recv()
        return p99_ms(late), p99_ms(ticks), alive

    def end(self):
        self.pipe.send("end")
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()


# ---- one attack ----


def memory_settled(mock, before):
    until = time.monotonic() + SETTLE_S
    while mock.memory_mb() > max(before, HEAP_MB) + MEMORY_MB and time.monotonic() < until:
        time.sleep(0.2)
    return mock.memory_mb()


def attack(mock, pace, name, run, allowed, before):
    memory = mock.memory_mb()
    found = run(mock.port)
    during = pace.mark()
    peak = mock.memory_mb()
    settled = memory_settled(mock, memory)
    time.sleep(QUIET_S)
    after = pace.mark()
    wrong = [f"came to {one!r}" for one in found if re.fullmatch(allowed, one) is None]
    wrong += [] if mock.answers() else ["the control interface does not answer"]
    wrong += [] if after[2] == SOUND_SESSIONS else [f"{SOUND_SESSIONS - after[2]} sound sessions were lost"]
    wrong += [f"memory grew by {settled - memory:.0f} MB"] if settled > max(memory, HEAP_MB) + MEMORY_MB else []
    busy = max(during[1], before[1], after[1]) > TIMER_MS
    if not busy and during[0] > max(during[1], before[0]) + PACE_MS:
        wrong.append("late frames")
    told = ", ".join(f"{count} {what}" for what, count in found.most_common(4))
    print(f"{name:28} {before[0]:6.1f} {during[0]:6.1f} {after[0]:6.1f}  {during[1]:6.1f}{'*' if busy else ' '}  {memory:6.0f} {peak:6.0f} {settled:6.0f}  {told}"
          + (f"  NOT HELD: {'; '.join(wrong)}" if wrong else ""), flush=True)
    return not wrong, after


def main(names):
    unknown = set(names) - {row[0] for row in ATTACKS}
    if unknown:
        print(f"attack: unknown: {', '.join(sorted(unknown))}; expected some of: {', '.join(row[0] for row in ATTACKS)}", file=sys.stderr)
        return 2
    wanted = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 8192)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
    held = failed = 0
    with Mock("--log", "quiet") as mock:
        pace = Pace(mock.port)
        time.sleep(2)
        before = pace.mark()
        print(f"{'':28} frames late, p99 ms:  timer   memory in MB:         connections\n"
              f"{'attack':28} before during  after   during  before during  after")
        for name, run, allowed in ATTACKS:
            if names and name not in names:
                continue
            good, before = attack(mock, pace, name, run, allowed, before)
            held, failed = held + good, failed + (not good)
        pace.end()
    print("* the machine itself was late: the pace is not judged")
    print(f"{held} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
