#!/usr/bin/python3
"""The wire tier of the full-duplex family: a program that knows nothing of the suite. It finds the service in its environment,
waits in the queue, says a file, a second every second, and ends once the answer has come. It plays nothing.
"""

import array
import base64
import json
import os
import sys
import time
import wave

from session import TEXT, Session

SECOND = 16000  # samples
ANSWER_WAIT = 4  # seconds
GREY = base64.b64decode(  # a picture, for who has no camera
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn"
    "KSopGR8tMC0oMCUoKSj/wAALCAAwAEABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAI"
    "AQEAAD8AAAAAAAAAAAAAAAAA/9k="
)


class Duplex(Session):
    def __init__(self, url, mode):  # pylint: disable=super-init-not-called
        self.observe = lambda **members: None
        self.worker = self.ready = self.closed = self.over = self.failed = False
        self.unsent = []  # of chunks of speech there are none here
        self.seconds = []  # of speech, not yet said
        self.picture = {"video_frames": [base64.b64encode(GREY).decode()]} if mode == "video" else {}
        self.answered = False
        self.next_at = 0.0
        self.incoming = self.message = b""
        self.kind = None
        if not self.open(url, f"mode={mode}"):
            return
        self.run(lambda: self.worker or self.failed, 600)
        if self.worker:
            self.say({"type": "session.update", "session": {"instructions": "Answer briefly."}})
            self.run(lambda: self.ready, 60)
        self.next_at = time.monotonic()

    def say(self, message):
        self.send(TEXT, json.dumps(message).encode())

    def send_due(self):
        """Whatever the server does: silence is said where there is nothing to say."""
        if self.ready and not self.closed and time.monotonic() >= self.next_at:
            self.next_at += 1
            sound = self.seconds.pop(0) if self.seconds else bytes(SECOND * 4)
            self.say({"type": "input_audio_buffer.append", "audio": base64.b64encode(sound).decode(), **self.picture})

    def speak(self, path):
        with wave.open(path, "rb") as file:
            if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (SECOND, 1, 2):
                self.failed = True
                return
            samples = array.array("h", file.readframes(file.getnframes()))
        sound = array.array("f", (sample / 32768 for sample in samples)).tobytes()
        self.seconds = [sound[at : at + SECOND * 4].ljust(SECOND * 4, b"\0") for at in range(0, len(sound), SECOND * 4)]

    def run(self, condition, seconds):
        """Never waits for longer than until the next second is due."""
        deadline = time.monotonic() + seconds
        while not self.over and not condition() and (left := deadline - time.monotonic()) > 0:
            due = max(0.001, self.next_at - time.monotonic()) if self.ready else 1.0
            super().run(condition, min(left, due))

    def end(self):
        self.run(lambda: not self.seconds, 600)
        self.run(lambda: self.answered, ANSWER_WAIT)
        self.closed = True  # nothing is sent any more
        self.say({"type": "session.close", "reason": "user_stop"})
        self.run(lambda: False, 5)  # session.closed comes, and the close
        self.close()

    def take_binary(self, message):
        """There is none."""

    def take_text(self, message):
        try:
            body = json.loads(message)
        except ValueError:
            return
        kind = body.get("type") if isinstance(body, dict) else None
        if kind == "session.queue_done":
            self.worker = True
        elif kind == "session.created" and self.worker:
            self.ready = True
        elif kind == "response.output_audio.delta":  # a real client plays it, and on response.listen drops what is left
            self.answered = body.get("end_of_turn") is True
        elif kind == "session.closed":
            self.closed = True
            self.close()
        elif kind == "error":
            print(body.get("error"), file=sys.stderr)
            self.failed = True


PROFILE = os.environ.get("CONFORM_PROFILE", "video")
session = Duplex(os.environ["DUPLEX_URL"], "audio" if PROFILE.endswith("audio") else "video")
if session.ready:
    if os.environ.get("DUPLEX_AUDIO"):
        session.speak(os.environ["DUPLEX_AUDIO"])
    session.end()
elif not session.over:
    session.close()
sys.exit(1 if session.failed else 0)
