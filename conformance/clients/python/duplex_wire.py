"""What is on the wire of the full-duplex speech protocol: JSON messages, with sound and pictures in base64."""

import array
import base64
import binascii
import json
import math
import sys
from collections import namedtuple

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


class BadAudio(Exception):
    """The sound of a delta that cannot be played."""


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
    try:
        message = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(message, dict):
        return None, {}
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


def text_of(message, name):
    value = message.get(name)
    return value if isinstance(value, str) else ""


def count_of(message, name):
    """None for what is no count."""
    value = message.get(name)
    return min(value, 0xFFFFFFFF) if type(value) is int and value >= 0 else None


def sound_of(message):
    """Float32, little-endian. Null or nothing at all is no sound, and no fault."""
    encoded = message.get("audio")
    if encoded is None:
        return b""
    if not isinstance(encoded, str):
        raise BadAudio("audio is no string")
    try:
        sound = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadAudio(f"audio is no base64: {error}") from error
    if base64.b64encode(sound).decode() != encoded:
        raise BadAudio("audio is no canonical base64")
    if len(sound) % 4 != 0:
        raise BadAudio(f"audio of {len(sound)} bytes ends inside a sample")
    samples = array.array("f", sound)
    if sys.byteorder == "big":
        samples.byteswap()
    if not all(map(math.isfinite, samples)):
        raise BadAudio("audio holds a sample that is no finite number")
    return sound
