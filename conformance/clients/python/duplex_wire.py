"""What is on the wire of the full-duplex speech protocol: JSON messages, with sound and pictures in base64."""

import array
import base64
import json
import math
import sys
from collections import namedtuple

from messages import BadAudio, parse_object, sound_of, text_of

SAMPLE_BYTES = 4  # float32, in both directions

# How a version of the protocol spells its messages. In the later one a delta has a kind: listen, text or audio.
Dialect = namedtuple("Dialect", "update update_object instructions append append_object delta")
DOCUMENTED = Dialect(
    "session.update", "session", "instructions", "input_audio_buffer.append", None, "response.output_audio.delta"
)
LATER = Dialect("session.init", "payload", "system_prompt", "input.append", "input", "response.output.delta")

# A grey picture, for who has no camera.
GREY = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn"
    "KSopGR8tMC0oMCUoKSj/wAALCAAwAEABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAI"
    "AQEAAD8AAAAAAAAAAAAAAAAA/9k="
)


# ---- what is sent ----


def build_update(dialect, instructions):
    return json.dumps({"type": dialect.update, dialect.update_object: {dialect.instructions: instructions}})


def build_append(dialect, sound, picture, force_listen):
    """`sound`: float32, little-endian. `picture`: a JPEG; None in a mode without pictures."""
    members = {"audio": base64.b64encode(sound).decode(), "force_listen": force_listen}
    if picture is not None:
        members["video_frames"] = [base64.b64encode(picture).decode()]
    if dialect.append_object is not None:
        members = {dialect.append_object: members}
    return json.dumps({"type": dialect.append} | members)


def build_close():
    return json.dumps({"type": "session.close", "reason": "user_stop"})


def to_float32(sound):
    """Of samples of 16 bit."""
    samples = array.array("h", sound)
    if sys.byteorder == "big":
        samples.byteswap()
    return as_little_endian(array.array("f", (sample / 32768 for sample in samples)))


def as_little_endian(floats):
    if sys.byteorder == "big":
        floats.byteswap()
    return floats.tobytes()


# ---- what is received ----


def parse_message(dialect, text):
    """Its kind, a word, and itself. None for what is no message of this protocol; ValueError for what is no JSON."""
    message = parse_object(text)
    kind = message.get("type")
    if kind == "response.listen" and dialect is DOCUMENTED:
        return "listen", message
    if kind == dialect.delta:
        if dialect is DOCUMENTED:
            return "delta", message
        metrics = message.get("metrics")
        cache = metrics.get("kv_cache_length") if isinstance(metrics, dict) else None
        word = {"listen": "listen", "text": "delta", "audio": "delta"}.get(text_of(message, "kind"))
        return word, {"kv_cache_length": cache} | message
    return kind if isinstance(kind, str) else None, message


def float_sound_of(message):
    """Float32, little-endian."""
    sound = sound_of(message, SAMPLE_BYTES)
    samples = array.array("f", sound)
    if sys.byteorder == "big":
        samples.byteswap()
    if not all(map(math.isfinite, samples)):
        raise BadAudio("audio holds a sample that is no finite number")
    return sound
