"""What lets ojin-conform drive a client: it obeys a plan, and says what is seen. Nothing else here knows of the suite.

CONFORM_PLAN says what to do; without it the client speaks a file and ends. What it sees goes to standard
output, one JSON object a line. Exit: 0 done, 1 an error was seen, 77 cannot do what the plan asks, 99 not set up.
With CONFORM_PERSISTENT each line of standard input is a case, plan and all, and ends with a line `done`.
"""

import asyncio
import json
import os
import pathlib
import sys
import time
from collections import Counter

from sound import SpeakerFile, UnsupportedAudio


class CannotDo(Exception):
    """A step of the plan that this client does not know."""


class Adapter:
    """A family adds its own steps and conditions, and new_client()."""

    needs = {}  # variables that have to be set, and what a task calls them
    may_have = {}  # ... and those that need not
    audio = ""  # the variable with the file to speak when there is no plan
    steps = ("connect", "end", "wait", "close", "reconnect")

    def __init__(self):
        self.client = None
        self.seen_so_far = Counter()

    def observe(self, seen, **members):
        self.seen_so_far[seen] += 1
        line = {"conform": 1, "seen": seen}
        line.update((name, self.clean(value)) for name, value in members.items() if value is not None)
        print(json.dumps(line), flush=True)

    @staticmethod
    def clean(value):
        """No half pairs, which no JSON holds."""
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value

    def conditions(self, count):
        return {
            "ready": lambda: self.seen_so_far["ready"] >= count,
            "sent": lambda: self.client.session.is_sent(),
            "idle": lambda: self.client.session.idle,
            "final": lambda: self.client.session.final,
            "error": lambda: self.seen_so_far["error"] > 0,
            "closed": lambda: self.seen_so_far["closed"] > 0,
        }

    def condition_of(self, after):
        name, _, count = after.partition(":")
        conditions = self.conditions(int(count or 1))
        if name not in conditions:
            raise CannotDo(f"after {after}")
        return conditions[name]

    def check_step(self, step):
        if step["do"] not in self.steps:
            raise CannotDo(step["do"])
        if "after" in step:
            self.condition_of(step["after"])

    async def do_step(self, step):
        if step["do"] == "connect":
            await self.client.connect()
        elif step["do"] == "end":
            await self.client.end()
        elif step["do"] == "wait":
            await self.client.until(lambda: False, step.get("ms", 0) / 1000)
        elif step["do"] == "close":
            await self.client.close()

    async def run_plan(self, plan):
        for step in plan["steps"]:  # told before anything is begun
            self.check_step(step)
        for step in plan["steps"]:
            if step["do"] == "reconnect":  # has to be known before the first attempt
                self.client.reconnect(step["times"])
        deadline = time.monotonic() + plan.get("limit_ms", 600000) / 1000
        for step in plan["steps"]:
            if "after" in step:
                await self.client.until(self.condition_of(step["after"]), deadline - time.monotonic())
            if self.client.over or time.monotonic() >= deadline:
                break
            await self.do_step(step)

    def read_plan(self, env):
        if "CONFORM_PLAN" in env:
            with open(env["CONFORM_PLAN"], encoding="utf-8") as file:
                return json.load(file)
        return {"steps": [{"do": "connect"}, {"do": "speak", "file": env.get(self.audio, "")}, {"do": "end"}]}

    async def main(self, env, plan=None):
        """The exit code."""
        missing = [name for name in self.needs if name not in env]
        if missing:
            print(f"not set: {', '.join(missing)}", file=sys.stderr)
            return 99
        self.client = self.new_client(env)
        try:
            await self.run_plan(plan or self.read_plan(env))
        except UnsupportedAudio as error:
            self.observe("error", text=str(error), code="UNSUPPORTED_AUDIO")
        except CannotDo as step:
            print(f"cannot do this: {step}", file=sys.stderr)
            return 77
        finally:
            await self.client.close()
        return 1 if self.seen_so_far["error"] else 0

    @classmethod
    def environment_of(cls, task):
        """What would be set if the process were the task's alone."""
        names = {"CONFORM_OUT": "out", "CONFORM_PROFILE": "profile", "SSL_CERT_FILE": "ca"} | cls.needs | cls.may_have
        return {name: task[member] for name, member in names.items() if member in task}

    @classmethod
    def run(cls):
        """One case, or those that come on standard input. The exit code."""
        if "CONFORM_PERSISTENT" not in os.environ:
            return asyncio.run(cls().main(os.environ))
        for line in sys.stdin:
            task = json.loads(line)
            env = cls.environment_of(task)
            if "SSL_CERT_FILE" in env:  # OpenSSL reads it from the process
                os.environ["SSL_CERT_FILE"] = env["SSL_CERT_FILE"]
            code = asyncio.run(cls().main(env, task))
            print(json.dumps({"conform": 1, "done": code}), flush=True)
        return 0


class ListenerAdapter(Adapter):
    """Of a client that plays sound of its own clock: what was heard is left in CONFORM_OUT."""

    sample_bytes = None
    speaker = None

    def open_speaker(self, env):
        if "CONFORM_OUT" in env:
            folder = pathlib.Path(env["CONFORM_OUT"])
            folder.mkdir(parents=True, exist_ok=True)
            self.speaker = SpeakerFile(folder / "sound.wav", self.sample_bytes)

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
            "turn": lambda: self.client.session.turns >= count,
        }
