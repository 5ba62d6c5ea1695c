#!/usr/bin/python3
"""The observe tier over HTTP, as a page in a browser or a program in a container does it: CONFORM_CONTROL is all it knows."""

import json
import os
import tempfile
import urllib.request

from session import CannotDo, log, obey

CONTROL = os.environ["CONFORM_CONTROL"]


def post(**members):
    body = (json.dumps({"conform": 1, **members}) + "\n").encode()
    with urllib.request.urlopen(urllib.request.Request(CONTROL + "observations", data=body), timeout=10):
        pass


def fetched(url):
    with urllib.request.urlopen(url, timeout=10) as answer, tempfile.NamedTemporaryFile(suffix=".wav", delete=False) as file:
        file.write(answer.read())
        return file.name


with urllib.request.urlopen(CONTROL + "plan", timeout=10) as answer:
    task = json.load(answer)
seen = []
try:
    code = obey(task, task["url"], task["key"], task["config"], lambda **members: seen.append(members), fetched)
except CannotDo as step:
    log(f"cannot do this: {step}")
    code = 77
for members in seen:  # in their order; a client that goes on for long posts them as they come
    post(**members)
post(done=code)
