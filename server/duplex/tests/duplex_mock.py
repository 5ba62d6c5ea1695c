"""The mock as a process of its own, and what the tests over real sockets say to it."""

import array
import asyncio
import base64
import json
import os
import signal
import sys
import wave

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
from patient import connect

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
FIXTURES = os.path.join(os.environ["SOURCE_DIR"], "fixtures")
SECOND = 16000
PATIENCE_S = 120
UPDATE = json.dumps({"type": "session.update", "session": {"instructions": "You are a helpful assistant."}})


def wav(name):
    """The samples of a 16-bit WAV of the fixtures as float32, whole 32768ths."""
    with wave.open(os.path.join(FIXTURES, "speech", name), "rb") as source:
        samples = array.array("h", source.readframes(source.getnframes()))
    return array.array("f", (sample / 32768 for sample in samples))


def picture():
    with open(os.path.join(FIXTURES, "pictures", "persona.jpg"), "rb") as source:
        return base64.b64encode(source.read()).decode()


class Mock:
    def __init__(self, *options):
        self.options = options

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            MOCK, "--port", "0", "--log", "quiet", *self.options,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        self.ready = json.loads(await self.process.stdout.readline())
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        self.findings = (await self.process.communicate())[1].decode()

    def connect(self, mode="audio", more=""):
        return connect(f"{self.ready['urls']['duplex']}?mode={mode}{more}")


async def receive(connection):
    return json.loads(await asyncio.wait_for(connection.recv(), PATIENCE_S))


async def expect(connection, kind):
    message = await receive(connection)
    assert message["type"] == kind, f"expected {kind}, got {message}"
    return message


async def begin(connection):
    await expect(connection, "session.queue_done")
    await connection.send(UPDATE)
    created = await expect(connection, "session.created")
    assert created["session_id"].startswith("rt_") and created["session_id"][3:].isdigit(), created
    return created
