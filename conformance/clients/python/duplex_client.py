#!/usr/bin/python3
"""The full-duplex speech protocol, driven by ojin-conform: with adapter.py, what it takes for any client library.

Where to go comes from the environment: DUPLEX_URL (without its query), DUPLEX_AUDIO, DUPLEX_VIDEO (a folder of JPEGs). What
was heard is left in CONFORM_OUT.
"""

import asyncio
import pathlib
import sys

from adapter import Adapter, CannotDo
from client import DuplexClient
from duplex_wire import GREY, to_float32
from sound import SpeakerFile, read_speech


def read_pictures(folder):
    """Those of a camera, in the order of their names."""
    return [path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir()) if path.suffix.lower() in (".jpg", ".jpeg")]


class DuplexAdapter(Adapter):
    needs = ("DUPLEX_URL",)
    audio = "DUPLEX_AUDIO"
    steps = (*Adapter.steps, "speak", "force-listen")
    speaker = None

    def new_client(self, env):
        if "CONFORM_OUT" in env:
            folder = pathlib.Path(env["CONFORM_OUT"])
            folder.mkdir(parents=True, exist_ok=True)
            self.speaker = SpeakerFile(folder / "sound.wav")
        pictures = read_pictures(env["DUPLEX_VIDEO"]) if "DUPLEX_VIDEO" in env else [GREY]
        return DuplexClient(env["DUPLEX_URL"], env.get("CONFORM_PROFILE", "video"), pictures, self.observe)

    def observe(self, seen, sound=None, **members):
        if seen == "ready" and self.speaker is not None:
            self.speaker.begin()
        if sound and self.speaker is not None:  # what is told to be heard can be found in the file
            self.speaker.write(members["at"], sound)
        super().observe(seen, **members)

    def check_step(self, step):
        super().check_step(step)
        if "params" in step:
            raise CannotDo("speak with params")

    def conditions(self, count):
        return super().conditions(count) | {
            "speech": lambda: self.client.session.deltas >= count,
            "listen": lambda: self.client.session.listens >= count,
            "turn": lambda: self.client.session.turns >= count,
        }

    async def do_step(self, step):
        if step["do"] == "speak":
            self.client.speak(to_float32(read_speech(step["file"])))
        elif step["do"] == "force-listen":
            self.client.force_listen()
        else:
            await super().do_step(step)


if __name__ == "__main__":
    sys.exit(asyncio.run(DuplexAdapter().main()))
