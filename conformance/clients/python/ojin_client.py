#!/usr/bin/python3
"""The Ojin realtime speech API, driven by ojin-conform: with adapter.py, what it takes for any client library.

Where to go comes from the environment: OJIN_URL (without its query), OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO.
"""

import sys

from adapter import Adapter
from client import OjinClient
from sound import read_speech


class OjinAdapter(Adapter):
    needs = {"OJIN_URL": "url", "OJIN_API_KEY": "key", "OJIN_CONFIG_ID": "config"}
    audio = "OJIN_AUDIO"
    steps = (*Adapter.steps, "speak", "cancel")

    def new_client(self, env):
        profile = env.get("CONFORM_PROFILE", "oris-1.0")
        return OjinClient(env["OJIN_URL"], env["OJIN_API_KEY"], env["OJIN_CONFIG_ID"], profile, self.observe)

    def conditions(self, count):
        return super().conditions(count) | {"speech": lambda: self.client.session.speech_played >= count}

    async def do_step(self, step):
        if step["do"] == "speak":
            self.client.speak(read_speech(step["file"]), step.get("params"))
        elif step["do"] == "cancel":
            await self.client.cancel()
        else:
            await super().do_step(step)


if __name__ == "__main__":
    sys.exit(OjinAdapter.run())
