"""A raw client for tests of what stands on the wire: sockets, frames and Ojin messages, with nothing hidden.

It checks nothing by itself: a frame with a wrong bit is handed on as it came. Waits are bounded, by far.
"""
import base64
import collections
import concurrent.futures
import contextlib
import hashlib
import json
import math
import os
import socket
import ssl
import struct
import subprocess
import tempfile
import urllib.parse

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
KEY = "key-that-nobody-may-see"
WAIT_S = 60  # only what hangs comes near it
THREADS = 24
PACED_TRIES = 4

WS_KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = base64.b64encode(hashlib.sha1((WS_KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10

FRAME_HEADER = struct.Struct("!B16sQIII")  # 000 InteractionResponse
ENTRY_HEADER = struct.Struct("!IB")
INPUT_HEADER = struct.Struct("!BQI")  # 000 InteractionInput
AUDIO, IMAGE = 1, 2
SILENCE, SPEECH = 0, 1
FRAME_BYTES = 1280
NIL = bytes(16)

# One frame as it came. `form` is the number of bits its length is written in; `length` what the header says.
WsFrame = collections.namedtuple("WsFrame", "fin rsv opcode masked form length payload")
# One message. `frames` are those it came in.
Message = collections.namedtuple("Message", "opcode payload frames")
Response = collections.namedtuple("Response", "status headers body raw")
# An InteractionResponse, as far as it can be read. `payloads` are (type, size, data); `rest` what is left behind them.
OjinFrame = collections.namedtuple("OjinFrame", "final interaction timestamp usage index count payloads rest raw")


class Ended(Exception):
    """The connection ended: by "fin" or "reset"; `left` came before and is no whole frame."""

    def __init__(self, how, left=b""):
        super().__init__(f"{how}, after {left[:40]!r}")
        self.how = how
        self.left = left


class Closed(Exception):
    """A close frame came: its payload, and the code and reason in it."""

    def __init__(self, payload):
        self.payload = payload
        self.code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else None
        self.reason = payload[2:]
        super().__init__(f"close {payload!r}")


class TlsSocket:
    """TLS by hand over a socket, so that what TCP does stays in sight: Python's own hides a reset behind its end."""

    def __init__(self, tcp, ca):
        self.tcp = tcp
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context(cafile=ca)
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self._until_done(self.tls.do_handshake)
        self._flush()

    def _flush(self):
        if self.outgoing.pending:
            self.tcp.sendall(self.outgoing.read())

    def _until_done(self, what, *arguments):
        while True:
            try:
                return what(*arguments)
            except ssl.SSLWantReadError:
                self._flush()
                data = self.tcp.recv(1 << 18)
                if data:
                    self.incoming.write(data)
                else:
                    self.incoming.write_eof()

    def recv(self, count):
        try:
            return self._until_done(self.tls.read, count)
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            while self.tcp.recv(1 << 18):
                pass
            return b""

    def sendall(self, data):
        view = memoryview(data)
        while len(view) > 0:
            view = view[self.tls.write(view[:16384]) :]
        self._flush()

    def settimeout(self, seconds):
        self.tcp.settimeout(seconds)

    def getsockopt(self, *arguments):
        return self.tcp.getsockopt(*arguments)

    def close(self):
        self.tcp.close()


class Mock:
    """A running ojin-mock. Leaves with a clean exit, or the test fails."""

    def __init__(self, *options, key=None, size="320x240"):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OJIN_")}
        if key is not None:
            environment["OJIN_MOCK_KEY"] = key
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [MOCK, "--port", "0", "--size", size, *options], stdout=subprocess.PIPE, stderr=self.errors, env=environment
        )
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the mock did not start: {self.said()}")
        self.ready = json.loads(line)
        self.port = self.ready["port"]

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            self.process.terminate()
            status = self.process.wait(WAIT_S)
            if kind is None and status != 0:
                raise AssertionError(f"exit {status}: {self.said()}")
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.errors.close()
        return False

    def said(self):
        """What stands on its standard error by now."""
        return os.pread(self.errors.fileno(), 1 << 20, 0).decode()

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def peer(self):
        return Peer(self.port)

    @contextlib.contextmanager
    def session(self, config, **more):
        """A session that was let in."""
        with self.peer() as peer:
            response = peer.upgrade(config, **more)
            assert response.status == 101, response.raw
            yield peer

    @contextlib.contextmanager
    def speaking(self, config, frames=50, **more):
        """A session that was let in and was sent speech right after sessionReady."""
        with self.session(config, **more) as peer:
            assert peer.json()["type"] == "sessionReady"
            peer.speak(frames)
            yield peer


class TlsMock(Mock):
    """The same with TLS, for which its peers are ready."""

    def __init__(self, *options, **more):
        super().__init__("--tls", *options, **more)

    def peer(self):
        peer = Peer(self.port)
        try:
            peer.socket = TlsSocket(peer.socket, self.ready["ca"])
        except BaseException:
            peer.socket.close()
            raise
        return peer


class Peer:
    """One connection."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), WAIT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        return False

    # ---- bytes ----

    def send(self, data):
        self.socket.sendall(data)

    def _more(self):
        try:
            chunk = self.socket.recv(1 << 18)
        except ConnectionResetError:
            raise Ended("reset", self.data) from None
        if not chunk:
            raise Ended("fin", self.data)
        self.data += chunk

    def _need(self, count):
        while len(self.data) < count:
            self._more()

    def _take(self, count):
        self._need(count)
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def silent_for(self, seconds):
        """Does nothing come for `seconds`? A busy machine can only make it true."""
        if self.data:
            return False
        self.socket.settimeout(seconds)
        try:
            self._more()
            return False
        except socket.timeout:
            return True
        finally:
            self.socket.settimeout(WAIT_S)

    # ---- HTTP ----

    def upgrade(self, config="c", **more):
        self.ask(config, **more)
        return self.response()

    def ask(self, config="c", path="/realtime", key=KEY, headers=(), query=None):
        query = f"config_id={urllib.parse.quote(config, safe='')}" if query is None else query
        lines = [
            f"GET {path}?{query} HTTP/1.1",
            "Host: mock",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {WS_KEY}",
            *([f"Authorization: {key}"] if key is not None else []),
            *headers,
        ]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode())

    def response(self):
        while b"\r\n\r\n" not in self.data:
            self._more()
        head = self._take(self.data.index(b"\r\n\r\n") + 4)
        status_line, *lines = head[:-4].decode().split("\r\n")
        assert status_line.startswith("HTTP/1.1 "), head
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers.setdefault(name.lower(), value.strip())
        status = int(status_line.split()[1])
        body = b"" if status == 101 else self._take(int(headers["content-length"]))
        return Response(status, headers, body, head)

    # ---- WebSocket ----

    def frame(self):
        self._need(2)
        first, second = self.data[0], self.data[1]
        form = {126: 16, 127: 64}.get(second & 0x7F, 7)
        masked = bool(second & 0x80)
        header = 2 + {7: 0, 16: 2, 64: 8}[form] + (4 if masked else 0)
        self._need(header)
        length = second & 0x7F if form == 7 else int.from_bytes(self.data[2 : 2 + form // 8], "big")
        if length < 1 << 63:
            self._need(header + length)
        head = self._take(header)
        payload = self._take(length) if length < 1 << 63 else b""
        if masked:
            mask = head[-4:]
            payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        return WsFrame(bool(first & 0x80), first >> 4 & 7, first & 15, masked, form, length, payload)

    def message(self, pings=None):
        """The next text or binary message; pings are put into `pings`. A close frame raises Closed."""
        frames = []
        while True:
            frame = self.frame()
            if frame.opcode == CLOSE:
                raise Closed(frame.payload)
            if frame.opcode in (PING, PONG):
                if pings is not None and frame.opcode == PING:
                    pings.append(frame)
                continue
            assert (frame.rsv, frame.masked) == (0, False), frame
            assert frame.opcode in (TEXT, BINARY) if not frames else frame.opcode == CONTINUATION, frame
            frames.append(frame)
            if frame.fin:
                return Message(frames[0].opcode, b"".join(part.payload for part in frames), frames)

    def send_frame(self, opcode, payload=b"", fin=True):
        """Masked with zeros."""
        first = (0x80 if fin else 0) | opcode
        if len(payload) < 126:
            head = struct.pack("!BB", first, 0x80 | len(payload))
        elif len(payload) < 65536:
            head = struct.pack("!BBH", first, 0x80 | 126, len(payload))
        else:
            head = struct.pack("!BBQ", first, 0x80 | 127, len(payload))
        self.send(head + bytes(4) + payload)

    def answer_close(self, code=1000):
        self.send_frame(CLOSE, struct.pack("!H", code))

    def end(self):
        """How the connection ends, whatever still comes."""
        try:
            while True:
                self.data = b""
                self._more()
        except Ended as ended:
            return ended.how

    def pong(self, data=b"are you there"):
        """Pings, and gives back what came before the pong. A close frame raises Closed."""
        self.send_frame(PING, data)
        before = []
        while True:
            frame = self.frame()
            if frame.opcode == CLOSE:
                raise Closed(frame.payload)
            if frame.opcode == PONG:
                assert frame.payload == data, frame
                return before
            before.append(frame)

    # ---- Ojin ----

    def speak(self, frames=1, params=None, samples=None):
        """Speech in one message, a tone: `samples`, or `frames` of it."""
        sound = tone(640 * frames) if samples is None else samples
        text = b"" if params is None else json.dumps(params).encode()
        self.send_frame(BINARY, INPUT_HEADER.pack(1, 1700000000000, len(text)) + text + sound)

    def silence(self):
        """One frame of it, which opens the stream."""
        self.speak(samples=bytes(FRAME_BYTES))

    def say(self, kind, payload=None):
        payload = {"timestamp": 1700000000000} if payload is None else payload
        self.send_frame(TEXT, json.dumps({"type": kind, "payload": payload}).encode())

    def cancel(self):
        self.say("cancelInteraction")

    def finish(self):
        self.say("endInteraction")

    def text(self):
        message = self.message()
        assert message.opcode == TEXT, message
        return message.payload.decode()

    def json(self):
        return json.loads(self.text())

    def any(self):
        """The next message: an OjinFrame, JSON as a dict, or other text as a string."""
        message = self.message()
        if message.opcode == BINARY:
            return decode(message.payload)
        try:
            return json.loads(message.payload)
        except ValueError:
            return message.payload.decode()

    def until(self, match, most=4000):
        """The messages up to the first that matches, which is the last of the list."""
        seen = []
        while len(seen) < most:
            seen.append(self.any())
            if match(seen[-1]):
                return seen
        raise AssertionError(f"none of {most} messages matched")

    def until_speech(self, count=1):
        """The messages up to the so-manyeth speech frame."""
        seen = []
        for _ in range(count):
            seen += self.until(is_speech)
        return seen

    def until_frame(self):
        """The next InteractionResponse."""
        return self.until(is_frame)[-1]

    def until_type(self, kind):
        return self.until(lambda message: isinstance(message, dict) and message["type"] == kind)[-1]

    def until_error(self):
        return self.until_type("errorResponse")["payload"]

    def speech_audio(self, count):
        return b"".join(audio_of(message) for message in self.until_speech(count) if is_speech(message))

    def close_frame(self):
        """The close frame that comes, whatever comes before it."""
        try:
            while True:
                self.message()
        except Closed as closed:
            return closed

    def end_of_session(self):
        """Until the connection ends: the messages, the close frame (None: there was none) and how it ended."""
        seen = []
        try:
            while True:
                seen.append(self.any())
        except Closed as closed:
            self.answer_close()
            return seen, closed, self.end()
        except Ended as ended:
            return seen, None, ended.how


def tone(samples):
    return b"".join(struct.pack("<h", int(9000 * math.sin(i / 6))) for i in range(samples))


def decode(data):
    """As far as it goes: what does not fit stays in `rest`."""
    if len(data) < FRAME_HEADER.size:
        return OjinFrame(None, None, None, None, None, None, [], data, data)
    final, interaction, timestamp, usage, index, count = FRAME_HEADER.unpack_from(data)
    offset, payloads = FRAME_HEADER.size, []
    while len(payloads) < count and offset + ENTRY_HEADER.size <= len(data):
        size, kind = ENTRY_HEADER.unpack_from(data, offset)
        if offset + ENTRY_HEADER.size + size > len(data):
            break
        offset += ENTRY_HEADER.size
        payloads.append((kind, size, data[offset : offset + size]))
        offset += size
    return OjinFrame(final, interaction, timestamp, usage, index, count, payloads, data[offset:], data)


def is_frame(message):
    return isinstance(message, OjinFrame)


def is_speech(message):
    return is_frame(message) and message.index == SPEECH


def is_silence(message):
    return is_frame(message) and message.index == SILENCE


def payload_of(frame, kind):
    """The last payload of that type."""
    found = [data for type_, _, data in frame.payloads if type_ == kind]
    return found[-1] if found else None


def audio_of(frame):
    return payload_of(frame, AUDIO)


def image_of(frame):
    return payload_of(frame, IMAGE)


def image_size(jpeg):
    """Width and height, from the frame header (ITU T.81 B.2.2)."""
    at = 2
    while jpeg[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    height, width = struct.unpack_from("!HH", jpeg, at + 5)
    return width, height


def loudness(audio):
    samples = struct.unpack(f"<{len(audio) // 2}h", audio)
    return max(abs(sample) for sample in samples)


def segments_in(peer):
    """How many TCP segments with data have come, as Linux counts them (tcpi_data_segs_in)."""
    info = peer.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 192)
    return struct.unpack_from("I", info, 152)[0]


def segments_of_speech(mock, card, frames=10):
    """In how many segments the first `frames` messages of a turn come."""
    with mock.session(card) as peer:
        assert peer.json()["type"] == "sessionReady"
        before = segments_in(peer)
        peer.speak(20)
        for _ in range(frames):
            assert is_speech(peer.any())
        return segments_in(peer) - before


def listed(what, family="ojin"):
    """What --list shows to scripts of a family."""
    words = [MOCK, "--family", family, "--list", what, "--json"]
    return json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)


class Checks:
    """Functions by name, run side by side: what stands on the wire when NAME is asked for."""

    def __init__(self):
        self.functions = {}
        self.paced = set()

    def of(self, *names, paced=False):
        """`paced`: it looks at which of the gaps between messages are the longest, which a machine that stands still upsets."""

        def keep(function):
            for name in names:
                assert name not in self.functions, name
                self.functions[name] = function
            self.paced.update(names if paced else ())
            return function

        return keep

    def run(self, mock):
        """Name and outcome of each: None, or what it raised. What is paced is asked again, alone, where it did not hold."""
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            futures = {name: pool.submit(function, mock) for name, function in self.functions.items()}
            outcomes = {name: future.exception() for name, future in futures.items()}
            for name in sorted(self.paced):
                for _ in range(PACED_TRIES - 1):
                    if isinstance(outcomes[name], AssertionError):
                        outcomes[name] = pool.submit(self.functions[name], mock).exception()
        return outcomes

    def judge(self, case, mock, names):
        """Each of `names` has a check, and each check holds."""
        outcomes = self.run(mock)
        for name in names:
            with case.subTest(name):
                case.assertIn(name, outcomes, f"{name} has no test of its bytes on the wire")
                if outcomes[name] is not None:
                    raise outcomes[name]
        case.assertEqual(sorted(set(outcomes) - set(names)), [], "tests of what there is not")
        # Whatever breaks the protocol is known to the mock for what it is.
        case.assertNotIn("mistake of the mock", mock.said())
