#!/usr/bin/python3
"""The observe tier: it also says what it sees, a line of JSON each on standard output."""

import json
import os
import sys

from session import CannotDo, log, obey, say

with open(os.environ["CONFORM_PLAN"], encoding="utf-8") as file:
    plan = json.load(file)
try:
    sys.exit(obey(plan, os.environ["OJIN_URL"], os.environ["OJIN_API_KEY"], os.environ["OJIN_CONFIG_ID"], say))
except CannotDo as step:
    log(f"cannot do this: {step}")
    sys.exit(77)
