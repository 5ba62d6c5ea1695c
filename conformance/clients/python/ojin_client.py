#!/usr/bin/python3
"""The adapter: lets ojin-conform drive the client of this folder. These lines are what it takes for any client library.

Where to go comes from the environment: OJIN_URL (without its query), OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO.
CONFORM_PLAN says what to do; without it the client speaks OJIN_AUDIO and ends. What it sees goes to standard
output, one JSON object a line. Exit: 0 done, 1 an error was seen, 77 cannot do what the plan asks.
"""

import asyncio
import json
import os
import sys
import time
from collections import Counter

from client import OjinClient
from wire import UnsupportedAudio, read_speech

STEPS = ("connect", "speak", "cancel", "end", "wait", "close", "reconnect")
seen_so_far = Counter()


class CannotDo(Exception):
    """A step of the plan that this client does not know."""


def observe(seen, **members):
    seen_so_far[seen] += 1
    line = {"conform": 1, "seen": seen}
    line.update((name, value) for name, value in members.items() if value is not None)
    print(json.dumps(line), flush=True)


def condition_of(client, after):
    name, _, count = after.partition(":")
    conditions = {
        "ready": lambda: seen_so_far["ready"] >= int(count or 1),
        "speech": lambda: client.session.speech_played >= int(count or 1),
        "sent": lambda: client.session.is_sent(),
        "idle": lambda: client.session.idle,
        "final": lambda: client.session.final,
        "error": lambda: seen_so_far["error"] > 0,
        "closed": lambda: seen_so_far["closed"] > 0,
    }
    if name not in conditions:
        raise CannotDo(f"after {after}")
    return conditions[name]


async def do_step(client, step):
    if step["do"] == "connect":
        await client.connect()
    elif step["do"] == "speak":
        client.speak(read_speech(step["file"]), step.get("params"))
    elif step["do"] == "cancel":
        await client.cancel()
    elif step["do"] == "end":
        await client.end()
    elif step["do"] == "wait":
        await client.until(lambda: False, step.get("ms", 0) / 1000)
    elif step["do"] == "close":
        await client.close()


async def run_plan(client, plan):
    unknown = [step["do"] for step in plan["steps"] if step["do"] not in STEPS]
    if unknown:  # told before anything is begun
        raise CannotDo(unknown[0])
    for step in plan["steps"]:
        if step["do"] == "reconnect":  # has to be known before the first attempt
            client.reconnect(step["times"])
    deadline = time.monotonic() + plan["limit_ms"] / 1000
    for step in plan["steps"]:
        if "after" in step:
            await client.until(condition_of(client, step["after"]), deadline - time.monotonic())
        if client.over or time.monotonic() >= deadline:
            break
        await do_step(client, step)


def read_plan():
    if "CONFORM_PLAN" in os.environ:
        with open(os.environ["CONFORM_PLAN"], encoding="utf-8") as file:
            return json.load(file)
    steps = [{"do": "connect"}, {"do": "speak", "file": os.environ.get("OJIN_AUDIO", "")}, {"do": "end"}]
    return {"limit_ms": 600000, "steps": steps}


async def main():
    missing = [name for name in ("OJIN_URL", "OJIN_API_KEY", "OJIN_CONFIG_ID") if name not in os.environ]
    if missing:
        print(f"not set: {', '.join(missing)}", file=sys.stderr)
        return 99
    client = OjinClient(
        os.environ["OJIN_URL"],
        os.environ["OJIN_API_KEY"],
        os.environ["OJIN_CONFIG_ID"],
        os.environ.get("CONFORM_PROFILE", "oris-1.0"),
        observe,
    )
    try:
        await run_plan(client, read_plan())
    except UnsupportedAudio as error:
        observe("error", code="UNSUPPORTED_AUDIO", text=str(error))
    except CannotDo as step:
        print(f"cannot do this: {step}", file=sys.stderr)
        return 77
    finally:
        await client.close()
    return 1 if seen_so_far["error"] else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
