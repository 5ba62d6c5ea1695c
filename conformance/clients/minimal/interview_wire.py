#!/usr/bin/python3
"""The wire tier of the interview family: a program that knows nothing of the suite. It takes the URL of the service, with its
token, as a word, or finds it in its environment; waits until it is connected, says a file as one answer, and ends once the
reply has come. It plays nothing.
"""

import base64
import json
import os
import sys
import time
import urllib.parse
import wave

from session import TEXT, Session

RATE = 24000  # samples of 16 bit, mono
CHUNK = RATE * 15 // 100  # samples: 150 ms
CONNECTED_WAIT = 10  # seconds
REPLY_WAIT = 20


class Interview(Session):
    def __init__(self, url):  # pylint: disable=super-init-not-called
        self.observe = lambda **members: None
        self.ready = self.committed = self.replied = self.over = self.failed = False
        self.unsent = []  # chunks of the answer
        self.next_chunk_at = 0.0
        self.incoming = self.message = b""
        self.kind = None
        where = urllib.parse.urlsplit(url)
        if self.open(where._replace(query="").geturl(), where.query):
            self.run(lambda: self.ready, CONNECTED_WAIT)
            self.failed = self.failed or not self.ready

    def say(self, **message):
        self.send(TEXT, json.dumps(message).encode())

    def speak(self, path):
        with wave.open(path, "rb") as file:
            if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (RATE, 1, 2):
                self.failed = True
                return
            sound = file.readframes(file.getnframes())
        self.unsent = [sound[at : at + 2 * CHUNK] for at in range(0, len(sound), 2 * CHUNK)]
        self.next_chunk_at = time.monotonic() + CHUNK / RATE

    def send_due(self):
        """A chunk once its sound was said, and behind the last of an answer that it is over."""
        if not self.unsent or time.monotonic() < self.next_chunk_at:
            return
        sound = base64.b64encode(self.unsent.pop(0)).decode()
        self.say(type="audio_chunk", audio=sound, timestamp=int(time.time()))
        self.next_chunk_at = time.monotonic() + CHUNK / RATE
        if not self.unsent:
            self.committed = True
            self.say(type="commit_audio")

    def end(self):
        self.run(lambda: not self.unsent, 600)
        if self.committed:
            self.run(lambda: self.replied, REPLY_WAIT)
        self.close()

    def take_binary(self, message):
        """There is none."""

    def take_text(self, message):
        try:
            body = json.loads(message)
        except ValueError:
            return
        kind = body.get("type") if isinstance(body, dict) else None
        if kind == "status":
            self.ready = self.ready or body.get("status") == "connected"
        elif kind == "ai_audio_chunk":  # a real client plays it
            self.replied = self.committed and body.get("is_final") is True
        elif kind == "error":
            print(body.get("code"), body.get("message"), file=sys.stderr)
            self.failed = True


def url_told():
    """A token needs no escapes."""
    return sys.argv[1] if len(sys.argv) > 1 else f"{os.environ['INTERVIEW_URL']}?token={os.environ['INTERVIEW_TOKEN']}"


session = Interview(url_told())
if session.ready:
    if os.environ.get("INTERVIEW_AUDIO"):
        session.speak(os.environ["INTERVIEW_AUDIO"])
    session.end()
elif not session.over:
    session.close()
sys.exit(1 if session.failed else 0)
