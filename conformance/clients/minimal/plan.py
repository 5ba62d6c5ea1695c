#!/usr/bin/python3
"""The plan tier: it also does what the plan asks. What it does not know it declines with exit 77."""

import json
import os
import sys

from session import CannotDo, log, obey

with open(os.environ["CONFORM_PLAN"], encoding="utf-8") as file:
    plan = json.load(file)
try:
    sys.exit(obey(plan, os.environ["OJIN_URL"], os.environ["OJIN_API_KEY"], os.environ["OJIN_CONFIG_ID"]))
except CannotDo as step:
    log(f"cannot do this: {step}")
    sys.exit(77)
