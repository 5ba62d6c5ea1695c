"""Reads messages of all families as the documents have them, with Python's own library alone: what a vector says must be
what this finds, and neither has a line of the other's."""

import base64
import binascii
import json
import math
import struct
import zlib

BIG = 2**53
MODES = {"video": "documented", "duplex-later": "later"}


class Refused(Exception):
    """With the member or field that is wrong."""


def number(text):
    raise ValueError(f"no JSON number: {text}")


def strict_json(data):
    try:
        return json.loads(data.decode("utf-8"), parse_constant=number)
    except (ValueError, RecursionError) as error:
        raise Refused("message") from error


def span(data, sample_bytes=None):
    told = {"bytes": len(data), "crc32": f"{zlib.crc32(data):08x}"}
    return told if sample_bytes is None else {"samples": len(data) // sample_bytes} | told


# ---- kinds of members: each gives what the member is, or raises ----


def string(value):
    if not isinstance(value, str):
        raise Refused
    return value


def boolean(value):
    if not isinstance(value, bool):
        raise Refused
    return value


def real(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Refused
    return value


def integer(least=-BIG, most=BIG):
    def read(value):
        if real(value) != int(value) or not max(least, -BIG) <= value <= min(most, BIG):
            raise Refused
        return int(value)

    return read


def one_of(*words):
    def read(value):
        if string(value) not in words:
            raise Refused
        return value

    return read


def mapping(value):
    if not isinstance(value, dict):
        raise Refused
    return value


def coded(value):
    try:
        data = base64.b64decode(string(value), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Refused from error
    if base64.b64encode(data).decode() != value:
        raise Refused
    return data


def sound(sample_bytes, least=0):
    def read(value):
        data = coded(value)
        if len(data) % sample_bytes or len(data) // sample_bytes < least:
            raise Refused
        if sample_bytes == 4 and not all(math.isfinite(one) for (one,) in struct.iter_unpack("<f", data)):
            raise Refused
        return span(data, sample_bytes)

    return read


def picture(value):
    data = coded(value)
    if data[:2] != b"\xff\xd8" or data[-2:] != b"\xff\xd9":
        raise Refused
    return data


def take(message, name, kind, needed=True, within=""):
    """None for what may be absent, and is, or is null."""
    if not needed and message.get(name) is None:
        return None
    if name not in message:
        raise Refused(within + name)
    try:
        return kind(message[name])
    except Refused as error:
        raise Refused(within + name) from error


def taken(message, within, /, **members):
    """{name: value} of those that are there. A name is `name` or `name_`, which may be absent."""
    found = {}
    for name, kind in members.items():
        value = take(message, name.rstrip("_"), kind, not name.endswith("_"), within)
        if value is not None:
            found[name.rstrip("_")] = value
    return found


# ---- Ojin ----


def read_frame(data):
    if len(data) < 37:
        raise Refused("header")
    final, uuid, timestamp, usage, index, count = struct.unpack_from(">B16sQIII", data)
    at, entries = 37, {}
    for _ in range(count):
        if len(data) - at < 5:
            raise Refused("entry")
        size, kind = struct.unpack_from(">IB", data, at)
        at += 5
        if size > len(data) - at:
            raise Refused("payload data")
        entries[kind] = data[at : at + size]
        at += size
    digits = uuid.hex()
    return {
        "is_final": final,
        "interaction": "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])),
        "timestamp_ms": str(timestamp),
        "usage": usage,
        "index": index,
        "payload_count": count,
        "audio": span(entries[1], 2) if 1 in entries else None,
        "image": span(entries[2]) if 2 in entries else None,
        "trailing": span(data[at:]),
    }


def read_input(data):
    if len(data) < 13:
        raise Refused("header")
    kind, timestamp, size = struct.unpack_from(">BQI", data)
    if kind != 1:
        raise Refused("payload type")
    if size > len(data) - 13:
        raise Refused("params")
    params = {
        "speech_filter_amount": 5,
        "idle_filter_amount": 1000.0,
        "idle_mouth_opening_scale": 0.0,
        "speech_mouth_opening_scale": 1.0,
        "client_frame_index": 0,
    }
    if size:
        given = mapping(strict_json(data[13 : 13 + size]))
        for name in params:
            if name in given:
                params[name] = take(given, name, integer() if name == "client_frame_index" else real)
    sound_bytes = data[13 + size :]
    if len(sound_bytes) % 2:
        raise Refused("audio")
    read = {"payload_type": kind, "timestamp_ms": str(timestamp), "params_bytes": size, "audio": span(sound_bytes, 2)}
    return read | params


def read_ojin(message):
    kind = take(message, "type", one_of("sessionReady", "errorResponse", "endInteraction", "cancelInteraction"))
    payload = take(message, "payload", mapping)
    read, within = {"type": kind}, "payload."
    if kind == "sessionReady":
        read |= taken(payload, within, trace_id=string, status=one_of("success"), load=real)
        if not 0 <= read["load"] <= 1:
            raise Refused("payload.load")
        read["has_parameters"] = bool(take(payload, "parameters", mapping, False, within))
        del read["status"]
    if kind == "errorResponse":
        read |= taken(payload, within, code=string, message=string, details_=mapping)
        read.pop("details", None)
        read["interaction_id"] = take(payload, "interaction_id", string, False, within) or ""
    stamp = take(payload, "timestamp", integer(), kind == "endInteraction", within)
    return read if stamp is None else read | {"timestamp_ms": str(stamp % 2**64)}


# ---- full-duplex speech ----


def renamed(read, names):
    return {names.get(name, name): value for name, value in read.items()}


DUPLEX_NAMES = {
    "max_slice_nums": "max_slices",
    "estimated_wait_s": "wait_s",
    "prompt_length": "prompt_length_tokens",
    "kv_cache_length": "kv_cache_length_tokens",
    "system_prompt": "instructions",
}


def read_setup(message, later):
    within = "payload" if later else "session"
    setup = take(message, within, mapping)
    prompt = "system_prompt_" if later else "instructions"
    return taken(setup, within + ".", **{prompt: string, "max_slice_nums_": integer(1, 9)})


def read_append(message, later):
    within = "input." if later else ""
    given = take(message, "input", mapping) if later else message
    read = taken(given, within, audio=sound(4, 4000), force_listen_=boolean, max_slice_nums_=integer(1, 9))
    frames = take(given, "video_frames", lambda value: value if isinstance(value, list) else mapping(None), False, within)
    if frames is None:
        return read
    for place, frame in enumerate(frames):
        data = take({"frame": frame}, "frame", picture)
        read["picture_1" if place == 0 else "picture_more"] = span(data)
    return read | {"pictures": len(frames)}


def read_spoken(message, later):
    count = integer(0)
    if not later:
        return taken(message, "", text=string, audio=sound(4), end_of_turn=boolean, kv_cache_length=count)
    kind = take(message, "kind", one_of("listen", "text", "audio"))
    wanted = {"text": {"text": string}, "audio": {"audio": sound(4)}, "listen": {}}[kind]
    read = taken(message, "", **wanted, kv_cache_length_=count)
    if kind != "listen":
        read |= taken(message, "", end_of_turn_=boolean)
    if "kv_cache_length" not in read:
        read |= taken(take(message, "metrics", mapping, False) or {}, "metrics.", kv_cache_length_=count)
    return read | ({"type": "response.listen"} if kind == "listen" else {})


def read_duplex(message, profile):
    later = MODES[profile] == "later"
    count = integer(0)
    place = {"position_": count, "estimated_wait_s_": real, "queue_length_": count, "ticket_id_": string}
    readers = {
        "session.init" if later else "session.update": ("session.update", lambda: read_setup(message, later)),
        "input.append" if later else "input_audio_buffer.append": (
            "input_audio_buffer.append",
            lambda: read_append(message, later),
        ),
        "session.close": (None, lambda: taken(message, "", reason_=string)),
        "session.queued": (None, lambda: taken(message, "", **place)),
        "session.queue_update": (None, lambda: taken(message, "", **place)),
        "session.queue_done": (None, dict),
        "session.created": (None, lambda: taken(message, "", session_id=string, prompt_length_=count)),
        "response.output.delta" if later else "response.output_audio.delta": (
            "response.output_audio.delta",
            lambda: read_spoken(message, later),
        ),
        "session.closed": (None, lambda: taken(message, "", reason=string)),
        "error": (None, lambda: taken(take(message, "error", mapping), "error.", code=string, message=string, type=string)),
    }
    if not later:
        readers["response.listen"] = (None, lambda: taken(message, "", kv_cache_length=count))
    kind = take(message, "type", one_of(*readers))
    named, read = readers[kind]
    members = renamed(read(), DUPLEX_NAMES)
    members.pop("ticket_id", None)
    if kind == "error":
        return {"type": "error", "error_type": members.pop("type")} | members
    return {"type": named or kind} | members


# ---- interviews ----


def read_interview(message, profile):
    deployed = profile == "interview-deployed"
    least, most, unit = (10**11, BIG, "timestamp_ms") if deployed else (0, 10**11 - 1, "timestamp_s")
    stamp = {"timestamp": integer(least, most)}
    speaker, who = ("role", {"user": "candidate", "assistant": "ai"}) if deployed else ("speaker", {"candidate": "candidate", "ai": "ai"})
    code = "error" if deployed else "code"
    states = ("connecting", "connected", "disconnected")
    readers = {
        "audio_chunk": lambda: taken(message, "", audio=sound(2), **stamp),
        "audio_commit" if deployed else "commit_audio": dict,
        "cancel_response": dict,
        "ai_audio_chunk": lambda: taken(message, "", audio=sound(2), is_final=boolean, transcript_=string),
        "transcript": lambda: taken(message, "", **{speaker: one_of(*who)}, text=string, **stamp),
        "function_result": lambda: taken(message, "", function_name=string),
        "error": lambda: taken(message, "", **{code: string}, message=string),
        "status": lambda: taken(message, "", status=one_of(*states), message=string),
    }
    if deployed:
        readers |= {"ping": dict, "pong": dict}
        readers["connected"] = lambda: {"status": "connected"} | taken(message, "", message_=string)
    kind = take(message, "type", one_of(*readers))
    if kind == "function_result" and "result" not in message:
        raise Refused("result")
    read = renamed(readers[kind](), {"timestamp": unit, "transcript": "text", speaker: "speaker", code: "code"})
    if "speaker" in read:
        read["speaker"] = who[read["speaker"]]
    kind = {"audio_commit": "commit_audio", "connected": "status"}.get(kind, kind)
    return {"type": kind} | read


# ---- all ----


def read(vector):
    """What the message of a vector decodes to; Refused with the member that is wrong."""
    data = bytes.fromhex(vector["hex"])
    if vector["kind"] == "frame":
        return read_frame(data)
    if vector["kind"] == "input":
        return read_input(data)
    message = strict_json(data)
    if not isinstance(message, dict):
        raise Refused("message")
    if vector["family"] == "ojin":
        return read_ojin(message)
    if vector["family"] == "duplex":
        return read_duplex(message, vector["profile"])
    return read_interview(message, vector["profile"])
