"""One session of the Ojin realtime API on a bare socket: no library, no threads, no sound card. For the clients beside
this file, which show what each tier asks for; a real client plays what it receives.
"""

import base64
import json
import os
import socket
import ssl
import struct
import sys
import time
import urllib.parse
import uuid
import wave
import zlib

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FRAME_BYTES = 1280  # 640 samples, 40 ms
CHUNK_BYTES = 102400
CHUNK_EVERY = 0.25  # seconds: at most six messages a second are allowed, control messages among them


class Session:
    """`observe` is called with what is seen, as members of an observation."""

    closing = False

    def __init__(self, url, key, config, observe=lambda **members: None, profile=None):
        self.observe = observe
        self.earlier = profile == "oris-1.0-earlier"  # it streams by itself, and its frames hold the sound to play
        self.ready = self.final = self.over = self.failed = False
        self.speech = 0  # frames of it
        self.idle = False  # silence was played after them
        self.dropped = set()  # interactions that were cancelled
        self.interaction = None
        self.incoming = b""
        self.kind = None  # of the message being received
        self.message = b""
        self.unsent = []  # chunks of speech
        self.next_chunk_at = 0.0
        query = urllib.parse.urlencode({"config_id": config}, quote_via=urllib.parse.quote, safe="")
        if not self.open(url, query, f"Authorization: {key}\r\n"):
            return
        self.run(lambda: self.ready or self.failed, 10)
        if not self.ready and not self.failed and not self.over:
            self.failed = True
            self.observe(seen="error", code="READY_TIMEOUT", text="no sessionReady within 10 s")
        if self.ready and not self.earlier:  # a frame of silence starts the stream
            self.send(BINARY, struct.pack("!BQI", 1, int(time.time() * 1000), 0) + bytes(FRAME_BYTES))

    def open(self, url, query, header=""):
        """False, and told, when there is no session to be had."""
        try:
            status = self.shake_hands(urllib.parse.urlsplit(url), query, header)
        except OSError as error:
            status = "NO_CONNECTION"
            print(error, file=sys.stderr)
        if status == "101":
            return True
        self.over = self.failed = True
        self.observe(seen="error", code=status, text="the handshake was refused")
        return False

    def shake_hands(self, where, query, header):
        """The status of the answer."""
        self.socket = socket.create_connection((where.hostname, where.port), timeout=10)
        if where.scheme == "wss":
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=where.hostname)
        nonce = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {where.path}?{query} HTTP/1.1\r\nHost: {where.netloc}\r\n"
                             f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {nonce}\r\n{header}\r\n").encode())
        while b"\r\n\r\n" not in self.incoming:
            data = self.socket.recv(65536)
            if not data:
                break
            self.incoming += data
        head, _, self.incoming = self.incoming.partition(b"\r\n\r\n")
        return head.split(b" ")[1].decode() if head.startswith(b"HTTP/1.1 ") else ""

    # ---- what it does ----

    def speak(self, path):
        with wave.open(path, "rb") as file:
            if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (16000, 1, 2):
                self.failed = True
                self.observe(seen="error", code="UNSUPPORTED_AUDIO", text="the sound is not 16 bit mono at 16 kHz")
                return
            sound = file.readframes(file.getnframes())
        self.speech = 0
        self.idle = False
        self.unsent += [sound[at : at + CHUNK_BYTES] for at in range(0, len(sound), CHUNK_BYTES)]  # run() sends it

    def send_due(self):
        if self.unsent and time.monotonic() >= self.next_chunk_at:
            self.send(BINARY, struct.pack("!BQI", 1, int(time.time() * 1000), 0) + self.unsent.pop(0))
            self.next_chunk_at = time.monotonic() + CHUNK_EVERY

    def show(self, picture):
        """A real client draws it, and plays the speech that belongs to it."""

    def control(self, kind):
        self.send(TEXT, json.dumps({"type": kind, "payload": {"timestamp": int(time.time() * 1000)}}).encode())

    def cancel(self):
        self.unsent.clear()
        self.dropped.add(self.interaction)
        self.observe(seen="cancelled")
        self.control("cancelInteraction")

    def end(self):
        self.run(lambda: not self.unsent, 600)
        self.run(lambda: False, CHUNK_EVERY)
        self.control("endInteraction")
        self.run(lambda: self.final, 10)
        self.close()

    def close(self):
        self.send(CLOSE, struct.pack("!H", 1000))
        self.run(lambda: False, 2)

    # ---- the wire ----

    def send(self, opcode, payload):
        if self.over or self.closing:  # no frame follows the close
            return
        self.closing = opcode == CLOSE
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([0x80 | opcode]) + (bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0xFE, size)
                                         if size < 65536 else struct.pack("!BQ", 0xFF, size))
        whole = int.from_bytes(payload, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        self.socket.settimeout(60)
        try:
            self.socket.sendall(head + mask + whole.to_bytes(size, "big"))
        except OSError:
            self.ended(1006)

    def run(self, condition, seconds):
        """Reads on until the condition holds, the time is up or the connection is over."""
        deadline = time.monotonic() + seconds
        while not self.over and not condition():
            self.send_due()
            if self.take_frame():
                continue
            left = deadline - time.monotonic()
            if left <= 0:
                return
            if self.unsent:
                left = min(left, max(0.0, self.next_chunk_at - time.monotonic()))
            self.socket.settimeout(max(0.001, left))
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                data = b""
            if not data:
                self.ended(1006)
            self.incoming += data

    def take_frame(self):
        if len(self.incoming) < 2:
            return False
        final, opcode, size, at = self.incoming[0] & 0x80, self.incoming[0] & 15, self.incoming[1] & 127, 2
        if self.breaks_rfc6455(final, opcode, size):
            self.fail(1002)
            return True
        if size >= 126:
            at = 4 if size == 126 else 10
            if len(self.incoming) < at:
                return False
            size = int.from_bytes(self.incoming[2:at], "big")
        if len(self.incoming) < at + size:
            return False
        payload, self.incoming = self.incoming[at : at + size], self.incoming[at + size :]
        if opcode == PING:
            self.send(PONG, payload)
        elif opcode == CLOSE:
            code = int.from_bytes(payload[:2], "big") if payload else 1005
            if payload and (len(payload) == 1 or not (1000 <= code <= 1014 and code not in (1004, 1005, 1006) or 3000 <= code <= 4999)):
                self.fail(1002)
                return True
            self.send(CLOSE, payload[:2])
            self.ended(code)
        elif opcode != PONG:
            self.kind = opcode or self.kind
            self.message += payload
            if final:
                kind, message, self.kind, self.message = self.kind, self.message, None, b""
                (self.take_text if kind == TEXT else self.take_binary)(message)
        return True

    def breaks_rfc6455(self, final, opcode, size):
        reserved = self.incoming[0] & 0x70 or opcode not in (0, TEXT, BINARY, CLOSE, PING, PONG)
        masked = self.incoming[1] & 0x80
        if opcode >= CLOSE:
            return reserved or masked or not final or size > 125
        return reserved or masked or (opcode == 0) == (self.kind is None)

    def fail(self, code):
        """The server broke the WebSocket protocol: says so, and is gone."""
        self.failed = True
        self.send(CLOSE, struct.pack("!H", code))
        self.ended(1006)

    def ended(self, code):
        if not self.over:
            self.over = True
            self.socket.close()
            self.observe(seen="closed", code=code)

    def take_text(self, message):
        try:
            text = message.decode()
        except UnicodeDecodeError:
            self.fail(1007)
            return
        try:
            body = json.loads(text)
            kind, payload = body.get("type"), body.get("payload")
        except (ValueError, AttributeError):
            kind, payload = "errorResponse", {"code": "", "message": text}
        payload = payload if isinstance(payload, dict) else {}
        if kind == "sessionReady":
            self.ready = True
            self.observe(seen="ready")
        elif kind == "errorResponse" and not (payload.get("code") == "CANCELLED" and self.dropped):
            self.failed = True
            if payload.get("code") == "RATE_LIMITED":
                self.next_chunk_at = time.monotonic() + 1
            self.observe(seen="error", code=str(payload.get("code") or ""), text=str(payload.get("message") or "")[:400])

    def take_binary(self, message):
        try:
            final, interaction, _, _, index, count = struct.unpack_from("!B16sQIII", message)
            payloads, at = {}, 37
            for _ in range(count):
                size, kind = struct.unpack_from("!IB", message, at)
                if at + 5 + size > len(message):
                    raise ValueError("a payload is longer than the message")
                payloads[kind] = message[at + 5 : at + 5 + size]
                at += 5 + size
        except (struct.error, ValueError) as error:
            self.failed = True
            self.observe(seen="error", code="BAD_FRAME", text=str(error))
            return
        members = {"index": index, "final": final == 1, "interaction": str(uuid.UUID(bytes=interaction))}
        members.update((name, zlib.crc32(payloads[kind])) for kind, name in ((1, "audio"), (2, "image")) if kind in payloads)
        self.observe(seen="frame", **members)
        self.final = self.final or (final == 1 and interaction not in self.dropped)
        if index == 1 and interaction in self.dropped:
            return
        if index == 1:
            self.interaction = interaction
            self.speech += 1
        if payloads:
            if not self.earlier:
                members.pop("audio", None)  # our own speech would be heard, if this client played it
            self.idle = self.idle or (index != 1 and self.speech > 0)
            self.show(payloads.get(2))
            self.observe(seen="played", **members)


class CannotDo(Exception):
    """A step of a plan that is not known here: exit 77."""


def obey(plan, url, key, config, observe=lambda **members: None, path_of=lambda file: file, kind=Session):
    """Does what a plan asks; the exit code that belongs to it."""
    session = None
    until = {"ready": lambda s: s.ready, "sent": lambda s: not s.unsent, "idle": lambda s: s.idle, "final": lambda s: s.final,
             "error": lambda s: s.failed, "closed": lambda s: s.over, "speech": lambda s: s.speech > 0}
    for step in plan["steps"]:
        if step["do"] not in ("connect", "speak", "cancel", "end", "wait", "close"):
            raise CannotDo(step["do"])
    for step in plan["steps"]:
        name, _, count = step.get("after", "").partition(":")
        if session is None or step["do"] == "connect":
            session = kind(url, key, config, observe, plan.get("profile"))
        if not session.ready:
            session.run(lambda: False, 2)  # a server that refuses closes by itself
            break
        if name == "speech":
            session.run(lambda: session.speech >= int(count or 1), 10)
        elif name:
            session.run(lambda: until[name](session), 10)
        if session.over:
            break
        if step["do"] == "speak":
            session.speak(path_of(step["file"]))
        elif step["do"] == "wait":
            session.run(lambda: False, step.get("ms", 0) / 1000)
        elif step["do"] in ("cancel", "end", "close"):
            getattr(session, step["do"])()
    if session is not None and not session.over:
        session.close()
    return 1 if session is not None and session.failed else 0


def say(**members):
    """An observation, on standard output."""
    print(json.dumps({"conform": 1, **members}), flush=True)


def log(sentence):
    print(sentence, file=sys.stderr, flush=True)
