"""What the families of JSON messages share: a message is not taken at its word, and its sound stands in base64."""

import base64
import binascii
import json


class BadAudio(Exception):
    """Sound that cannot be played."""


def parse_object(text):
    """Empty for what is no object; ValueError for what is no JSON."""
    try:
        message = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return message if isinstance(message, dict) else {}


def text_of(message, name):
    value = message.get(name)
    return value if isinstance(value, str) else ""


def count_of(message, name):
    """None for what is no count."""
    value = message.get(name)
    return min(value, 0xFFFFFFFF) if type(value) is int and value >= 0 else None


def sound_of(message, sample_bytes):
    """Whole samples. Null or nothing at all is no sound, and no fault."""
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
    if len(sound) % sample_bytes != 0:
        raise BadAudio(f"audio of {len(sound)} bytes ends inside a sample")
    return sound
