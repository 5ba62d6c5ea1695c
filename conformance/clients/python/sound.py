"""Sound files: those that can be spoken as they are, and the one that takes what was played."""

import struct
import wave

SPEECH_RATE = 16000
SPEAKER_RATE = 24000
SAMPLE_BYTES = 4  # float32
HEADER_BYTES = 44
IEEE_FLOAT = 3


class UnsupportedAudio(Exception):
    """A sound file that cannot be sent as it is."""


def read_speech(path):
    """The samples of a WAV file. What would have to be converted first is refused: never send it as it is."""
    try:
        with wave.open(path, "rb") as file:
            if file.getnchannels() != 1 or file.getframerate() != SPEECH_RATE or file.getsampwidth() != 2:
                raise UnsupportedAudio(
                    f"{path}: {8 * file.getsampwidth()} bit, {file.getnchannels()} channels, "
                    f"{file.getframerate()} Hz; only 16 bit mono at {SPEECH_RATE} Hz can be sent"
                )
            audio = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise UnsupportedAudio(f"{path}: {error}") from error
    return audio[: len(audio) // 2 * 2]


class SpeakerFile:
    """A WAV in which each sample stands where it was heard, with silence wherever nothing was. It is whole at any time."""

    def __init__(self, path):
        self.file = open(path, "wb")  # pylint: disable=consider-using-with
        self.begin()

    def begin(self):
        """From the start: a new session has a new clock."""
        self.file.seek(0)
        self.file.truncate()
        self.write_header(0)

    def write(self, at, sound):
        size = at * SAMPLE_BYTES + len(sound)
        self.file.seek(HEADER_BYTES + at * SAMPLE_BYTES)  # what is skipped reads as zeros
        self.file.write(sound)
        self.write_header(size)

    def write_header(self, size):
        self.file.seek(0)
        self.file.write(
            struct.pack("<4sI4s", b"RIFF", HEADER_BYTES - 8 + size, b"WAVE")
            + struct.pack("<4sIHHIIHH", b"fmt ", 16, IEEE_FLOAT, 1, SPEAKER_RATE, SPEAKER_RATE * SAMPLE_BYTES, SAMPLE_BYTES, 32)
            + struct.pack("<4sI", b"data", size)
        )
        self.file.flush()
