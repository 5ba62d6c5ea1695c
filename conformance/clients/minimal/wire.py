#!/usr/bin/python3
"""The wire tier: a program that knows nothing of the suite. It finds the service in its environment, speaks a file, ends."""

import os
import sys

from session import Session

PROFILE = os.environ.get("CONFORM_PROFILE")
session = Session(os.environ["OJIN_URL"], os.environ["OJIN_API_KEY"], os.environ["OJIN_CONFIG_ID"], profile=PROFILE)
if session.ready:
    if os.environ.get("OJIN_AUDIO"):
        session.speak(os.environ["OJIN_AUDIO"])
    session.end()
sys.exit(1 if session.failed else 0)
