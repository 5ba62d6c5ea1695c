"""What is on the wire of the Ojin realtime API: its binary messages."""

import json
import struct
import time
import uuid
from collections import namedtuple

# InteractionInput: payload type, timestamp in milliseconds, params size; then the params and the sound
HEADER_FORMAT = "!BQI"
HEADER_BYTES = struct.calcsize(HEADER_FORMAT)
# InteractionResponse: final flag, interaction id, timestamp, usage, index, number of payloads
RESPONSE_FORMAT = "!B16sQIII"
RESPONSE_BYTES = struct.calcsize(RESPONSE_FORMAT)
# Each payload: data size, type
ENTRY_FORMAT = "!IB"
ENTRY_BYTES = struct.calcsize(ENTRY_FORMAT)
AUDIO, IMAGE = 1, 2
SILENCE, SPEECH = 0, 1

MAX_PARAMS_BYTES = 1024
# The limit is 512 KB with the header. Some servers read that as 512,000 bytes.
MAX_MESSAGE_BYTES = 512000
CHUNK_BYTES = (MAX_MESSAGE_BYTES - HEADER_BYTES - MAX_PARAMS_BYTES) // 2 * 2  # whole samples

Frame = namedtuple("Frame", "final interaction timestamp index audio image")


class BadFrame(Exception):
    """A binary message that is no InteractionResponse."""


def now_ms():
    return int(time.time() * 1000)


def build_message(audio, params=None):
    params_json = json.dumps(params).encode() if params else b""
    return struct.pack(HEADER_FORMAT, AUDIO, now_ms(), len(params_json)) + params_json + audio


def parse_frame(data):
    """Takes no number in the message at its word. Payloads of an unknown type are skipped, and so is what follows the last."""
    if len(data) < RESPONSE_BYTES:
        raise BadFrame(f"{len(data)} bytes are no whole header")
    final, interaction, timestamp, _, index, count = struct.unpack_from(RESPONSE_FORMAT, data)
    payloads = {}
    offset = RESPONSE_BYTES
    for number in range(count):
        if len(data) - offset < ENTRY_BYTES:
            raise BadFrame(f"payload {number + 1} of {count} is missing")
        size, kind = struct.unpack_from(ENTRY_FORMAT, data, offset)
        offset += ENTRY_BYTES
        if size > len(data) - offset:
            raise BadFrame(f"payload {number + 1} has {size} bytes, {len(data) - offset} are left")
        payloads[kind] = data[offset : offset + size]
        offset += size
    return Frame(final == 1, uuid.UUID(bytes=interaction), timestamp, index, payloads.get(AUDIO), payloads.get(IMAGE))
