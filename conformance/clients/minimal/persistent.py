#!/usr/bin/python3
"""Many cases in one process (--persistent): each line of standard input is a case, answered with observations and a line `done`."""

import json
import os
import sys

from session import CannotDo, log, obey, say

for line in sys.stdin:
    task = json.loads(line)
    if "ca" in task:  # a case over TLS
        os.environ["SSL_CERT_FILE"] = task["ca"]
    try:
        code = obey(task, task["url"], task["key"], task["config"], say)
    except CannotDo as step:
        log(f"cannot do this: {step}")
        code = 77
    say(done=code)
