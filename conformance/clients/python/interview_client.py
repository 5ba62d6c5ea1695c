#!/usr/bin/python3
"""The realtime interview API, driven by ojin-conform: with adapter.py, what it takes for any client library.

Where to go comes from the environment: INTERVIEW_URL (without its query), INTERVIEW_TOKEN, INTERVIEW_AUDIO. What was heard is
left in CONFORM_OUT.
"""

import sys

from adapter import ListenerAdapter
from client import InterviewClient
from interview_wire import RATE, SAMPLE_BYTES
from sound import read_speech


class InterviewAdapter(ListenerAdapter):
    needs = {"INTERVIEW_URL": "url", "INTERVIEW_TOKEN": "key"}
    audio = "INTERVIEW_AUDIO"
    steps = (*ListenerAdapter.steps, "speak", "cancel")
    sample_bytes = SAMPLE_BYTES

    def new_client(self, env):
        self.open_speaker(env)
        profile = env.get("CONFORM_PROFILE", "interview-1.0")
        return InterviewClient(env["INTERVIEW_URL"], env["INTERVIEW_TOKEN"], profile, self.observe)

    async def do_step(self, step):
        if step["do"] == "speak":
            self.client.speak(read_speech(step["file"], RATE))
        elif step["do"] == "cancel":
            await self.client.cancel()
        else:
            await super().do_step(step)


if __name__ == "__main__":
    sys.exit(InterviewAdapter.run())
