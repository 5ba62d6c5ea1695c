"""Sound files: those that can be spoken as they are, and the one that takes what was played."""

import struct

SPEECH_RATE = 16000
SPEAKER_RATE = 24000
HEADER_BYTES = 44
PCM, IEEE_FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
SUBFORMAT_AT = 24  # of an extensible format: a GUID that begins with what stands in the first field of the others


class UnsupportedAudio(Exception):
    """A sound file that cannot be sent as it is."""


def chunks(riff):
    """The chunks of a WAV file in their order, as name and content. One of odd size has a byte behind it."""
    at = 12
    while at + 8 <= len(riff):
        name, size = struct.unpack_from("<4sI", riff, at)
        yield name, riff[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def read_speech(path, wanted_rate=SPEECH_RATE):
    """The samples of a WAV file, 16 bit mono. What would have to be converted first is refused: never send it as it is."""
    try:
        with open(path, "rb") as file:
            riff = file.read()
    except OSError as error:
        raise UnsupportedAudio(f"{path}: {error}") from error
    if riff[:4] != b"RIFF" or riff[8:12] != b"WAVE":
        raise UnsupportedAudio(f"{path}: no WAV file")
    form = None
    for name, content in chunks(riff):
        if name == b"fmt " and len(content) >= 16:
            form = content
        elif name == b"data" and form is not None:
            coding, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", form)
            if coding == EXTENSIBLE and len(form) >= SUBFORMAT_AT + 2:
                coding = struct.unpack_from("<H", form, SUBFORMAT_AT)[0]
            if (coding, channels, rate, bits) != (PCM, 1, wanted_rate, 16):
                raise UnsupportedAudio(
                    f"{path}: {bits} bit, {channels} channels, {rate} Hz; "
                    f"only 16 bit mono at {wanted_rate} Hz can be sent"
                )
            return content[: len(content) // 2 * 2]
    raise UnsupportedAudio(f"{path}: no sound in it")


class SpeakerFile:
    """A WAV in which each sample stands where it was heard, with silence wherever nothing was. It is whole at any time.
    Samples of 4 bytes are float32, those of 2 are integers.
    """

    def __init__(self, path, sample_bytes):
        self.sample_bytes = sample_bytes
        self.file = open(path, "wb")  # pylint: disable=consider-using-with
        self.begin()

    def begin(self):
        """From the start: a new session has a new clock."""
        self.file.seek(0)
        self.file.truncate()
        self.write_header(0)

    def write(self, at, sound):
        size = at * self.sample_bytes + len(sound)
        self.file.seek(HEADER_BYTES + at * self.sample_bytes)  # what is skipped reads as zeros
        self.file.write(sound)
        self.write_header(size)

    def write_header(self, size):
        count = self.sample_bytes
        coding = IEEE_FLOAT if count == 4 else PCM
        self.file.seek(0)
        self.file.write(
            struct.pack("<4sI4s", b"RIFF", HEADER_BYTES - 8 + size, b"WAVE")
            + struct.pack("<4sIHHIIHH", b"fmt ", 16, coding, 1, SPEAKER_RATE, SPEAKER_RATE * count, count, 8 * count)
            + struct.pack("<4sI", b"data", size)
        )
        self.file.flush()
