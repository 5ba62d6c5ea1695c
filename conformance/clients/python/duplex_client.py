#!/usr/bin/python3
"""The full-duplex speech protocol, driven by ojin-conform: with adapter.py, what it takes for any client library.

Where to go comes from the environment: DUPLEX_URL (without its query), DUPLEX_AUDIO, DUPLEX_VIDEO (a folder of JPEGs). What
was heard is left in CONFORM_OUT.
"""

import pathlib
import sys

from adapter import ListenerAdapter
from client import DuplexClient
from duplex_wire import GREY, SAMPLE_BYTES, to_float32
from sound import read_speech


def read_pictures(folder):
    """Those of a camera, in the order of their names."""
    return [path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir()) if path.suffix.lower() in (".jpg", ".jpeg")]


class DuplexAdapter(ListenerAdapter):
    needs = {"DUPLEX_URL": "url"}
    may_have = {"DUPLEX_VIDEO": "video"}
    audio = "DUPLEX_AUDIO"
    steps = (*ListenerAdapter.steps, "speak", "force-listen")
    sample_bytes = SAMPLE_BYTES

    def new_client(self, env):
        self.open_speaker(env)
        pictures = read_pictures(env["DUPLEX_VIDEO"]) if "DUPLEX_VIDEO" in env else [GREY]
        return DuplexClient(env["DUPLEX_URL"], env.get("CONFORM_PROFILE", "video"), pictures, self.observe)

    def conditions(self, count):
        return super().conditions(count) | {"listen": lambda: self.client.session.listens >= count}

    async def do_step(self, step):
        if step["do"] == "speak":
            self.client.speak(to_float32(read_speech(step["file"])))
        elif step["do"] == "force-listen":
            self.client.force_listen()
        else:
            await super().do_step(step)


if __name__ == "__main__":
    sys.exit(DuplexAdapter.run())
