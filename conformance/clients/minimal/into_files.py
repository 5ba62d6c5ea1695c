#!/usr/bin/python3
"""The observe tier of a player that cannot speak: it leaves the pictures it showed in CONFORM_OUT."""

import json
import os
import pathlib
import sys

from session import CannotDo, Session, log, obey

PICTURES = pathlib.Path(os.environ["CONFORM_OUT"]) / "pictures"
PICTURES.mkdir(parents=True, exist_ok=True)


class Player(Session):
    shown = 0

    def show(self, picture):
        if picture is not None:
            self.shown += 1
            (PICTURES / f"{self.shown:06}.jpg").write_bytes(picture)


with open(os.environ["CONFORM_PLAN"], encoding="utf-8") as file:
    plan = json.load(file)
try:
    sys.exit(obey(plan, os.environ["OJIN_URL"], os.environ["OJIN_API_KEY"], os.environ["OJIN_CONFIG_ID"], kind=Player))
except CannotDo as step:
    log(f"cannot do this: {step}")
    sys.exit(77)
