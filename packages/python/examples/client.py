"""The client under test: connects, begins with a frame of silence, says a second of a tone, and cancels.

Its address is in OJIN_URL, OJIN_API_KEY and OJIN_CONFIG_ID where it runs as a program.
"""
import asyncio
import json
import math
import os
import struct
import time

import websockets

RATE = 16_000  # samples a second, 16 bit mono
FRAME = 640  # samples
INPUT_HEADER = struct.Struct("!BQI")
HEADERS = "extra_headers" if int(websockets.__version__.split(".")[0]) < 14 else "additional_headers"


def now_ms():
    return int(time.time() * 1000)


def input_message(samples):
    return INPUT_HEADER.pack(1, now_ms(), 0) + samples  # audio, without params


def tone(samples):
    return b"".join(struct.pack("<h", round(9_000 * math.sin(n / 6))) for n in range(samples))


class SpeechClient:
    """Made by open(): a session that is ready to take speech."""

    def __init__(self, socket):
        self.socket = socket
        self.frames = 0

    @classmethod
    async def open(cls, url, key):
        client = cls(await websockets.connect(url, max_size=None, **{HEADERS: {"Authorization": key}}))
        await client.message("sessionReady")
        await client.socket.send(input_message(bytes(2 * FRAME)))
        return client

    async def message(self, kind):
        """The next text message of that type; frames that come before it are counted."""
        while True:
            data = await self.socket.recv()
            if isinstance(data, bytes):
                self.frames += 1
            elif json.loads(data)["type"] == kind:
                return json.loads(data)["payload"]

    async def speak(self):
        await self.socket.send(input_message(tone(RATE)))

    async def cancel(self):
        await self.socket.send(json.dumps({"type": "cancelInteraction", "payload": {"timestamp": now_ms()}}))

    async def close(self):
        await self.socket.close()


async def main():
    url = f"{os.environ['OJIN_URL']}?config_id={os.environ['OJIN_CONFIG_ID']}"
    client = await SpeechClient.open(url, os.environ["OJIN_API_KEY"])
    await client.speak()
    await client.cancel()
    await client.close()


if __name__ == "__main__":
    asyncio.run(main())
