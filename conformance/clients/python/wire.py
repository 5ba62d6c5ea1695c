"""What is on the wire: the binary messages of the Ojin realtime API, and the sound files that can be sent as they are."""

import json
import struct
import time
import uuid
import wave
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

SAMPLE_RATE = 16000
MAX_PARAMS_BYTES = 1024
# The limit is 512 KB with the header. Some servers read that as 512,000 bytes.
MAX_MESSAGE_BYTES = 512000
CHUNK_BYTES = (MAX_MESSAGE_BYTES - HEADER_BYTES - MAX_PARAMS_BYTES) // 2 * 2  # whole samples

Frame = namedtuple("Frame", "final interaction index audio image")


class BadFrame(Exception):
    """A binary message that is no InteractionResponse."""


class UnsupportedAudio(Exception):
    """A sound file that cannot be sent as it is."""


def now_ms():
    return int(time.time() * 1000)


def build_message(audio, params=None):
    params_json = json.dumps(params).encode() if params else b""
    return struct.pack(HEADER_FORMAT, AUDIO, now_ms(), len(params_json)) + params_json + audio


def parse_frame(data):
    """Takes no number in the message at its word. Payloads of an unknown type are skipped, and so is what follows the last."""
    if len(data) < RESPONSE_BYTES:
        raise BadFrame(f"{len(data)} bytes are no whole header")
    final, interaction, _, _, index, count = struct.unpack_from(RESPONSE_FORMAT, data)
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
    return Frame(final == 1, uuid.UUID(bytes=interaction), index, payloads.get(AUDIO), payloads.get(IMAGE))


def read_speech(path):
    """The samples of a WAV file. What would have to be converted first is refused: never send it as it is."""
    try:
        with wave.open(path, "rb") as file:
            if file.getnchannels() != 1 or file.getframerate() != SAMPLE_RATE or file.getsampwidth() != 2:
                raise UnsupportedAudio(
                    f"{path}: {8 * file.getsampwidth()} bit, {file.getnchannels()} channels, "
                    f"{file.getframerate()} Hz; only 16 bit mono at {SAMPLE_RATE} Hz can be sent"
                )
            audio = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise UnsupportedAudio(f"{path}: {error}") from error
    return audio[: len(audio) // 2 * 2]
