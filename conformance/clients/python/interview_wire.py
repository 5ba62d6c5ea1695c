"""What is on the wire of the realtime interview API: JSON messages, with sound in base64."""

import base64
import json
import time
from collections import namedtuple

from messages import parse_object, text_of

RATE = 24000  # mono, in both directions
SAMPLE_BYTES = 2  # integers, little-endian

# How a server spells its messages. Some servers in use differ from the document.
Dialect = namedtuple("Dialect", "commit connected speaker speakers error_code per_second pings")
DOCUMENTED = Dialect("commit_audio", None, "speaker", {"candidate": "candidate", "ai": "ai"}, "code", 1, False)
DEPLOYED = Dialect("audio_commit", "connected", "role", {"user": "candidate", "assistant": "ai"}, "error", 1000, True)

CANCEL = json.dumps({"type": "cancel_response"})
PONG = json.dumps({"type": "pong"})


def build_chunk(dialect, sound):
    timestamp = int(time.time() * dialect.per_second)
    return json.dumps({"type": "audio_chunk", "audio": base64.b64encode(sound).decode(), "timestamp": timestamp})


def build_commit(dialect):
    return json.dumps({"type": dialect.commit})


def parse_message(dialect, text):
    """Its type and itself. Empty for what is no message of this protocol; ValueError for what is no JSON."""
    message = parse_object(text)
    kind = text_of(message, "type")
    if kind and kind == dialect.connected:
        return "status", message | {"status": "connected"}
    return kind, message
