#!/usr/bin/python3
"""Says a sound file to a full-duplex server, a second every second, and prints what it answers.

DUPLEX_URL (without its query), DUPLEX_AUDIO and, for pictures, DUPLEX_VIDEO, a folder of JPEG files. Exit 1 on any error, which
is in the log.
"""

import array
import asyncio
import base64
import json
import logging
import os
import pathlib
import sys
import wave

import websockets

log = logging.getLogger("duplex")
RATE = 16000
ANSWER_WAIT = 10  # seconds
CLOSING = ("service_unavailable", "queue_full", "worker_busy", "worker_connect_failed")  # other errors leave the session going


class ServerError(Exception):
    pass


def read_sound(path):
    with wave.open(path, "rb") as file:
        if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (RATE, 1, 2):
            raise ValueError("only 16 bit mono at 16 kHz is said")
        samples = array.array("h", file.readframes(file.getnframes()))
    samples.extend([0] * (-len(samples) % RATE))
    return [array.array("f", (sample / 32768 for sample in samples[at : at + RATE])) for at in range(0, len(samples), RATE)]


class Session:
    def __init__(self, ws, video):
        self.ws, self.video = ws, video
        self.answered, self.over = asyncio.Event(), False

    async def event(self, wanted):
        while True:
            message = json.loads(await asyncio.wait_for(self.ws.recv(), 300))
            log.info("%s", message["type"])
            if message["type"] == "error":
                raise ServerError(f"{message['error']['code']}: {message['error']['message']}")
            if message["type"] == "session.closed":
                raise ServerError(f"closed by the server: {message['reason']}")
            if message["type"] == wanted:
                return message

    async def append(self, sound):
        message = {"type": "input_audio_buffer.append", "audio": base64.b64encode(sound.tobytes()).decode()}
        if self.video:
            message["video_frames"] = [base64.b64encode(self.video[0].read_bytes()).decode()]
            self.video = self.video[1:] + self.video[:1]
        await self.ws.send(json.dumps(message))

    async def say(self, seconds):
        loop = asyncio.get_running_loop()
        begin, number, deadline = loop.time(), 0, None
        while not self.over:
            if number >= len(seconds) and deadline is None:
                deadline = loop.time() + ANSWER_WAIT
            if deadline is not None and (self.answered.is_set() or loop.time() > deadline):
                break
            await self.append(seconds[number] if number < len(seconds) else array.array("f", bytes(4 * RATE)))
            number += 1
            await asyncio.sleep(max(0, begin + number - loop.time()))
        if not self.over:
            self.over = True
            await self.ws.send(json.dumps({"type": "session.close", "reason": "user_stop"}))

    async def listen(self):
        async for data in self.ws:
            message = json.loads(data)
            kind = message["type"]
            if kind == "response.output_audio.delta":
                print(message["text"], end="", flush=True)
                if message["end_of_turn"]:
                    self.answered.set()
            elif kind == "session.closed":
                stopped, self.over = self.over, True
                if not stopped or message["reason"] != "stopped":
                    raise ServerError(f"closed by the server: {message['reason']}")
                return
            elif kind == "error" and message["error"]["code"] not in CLOSING:
                log.error("%s: %s", message["error"]["code"], message["error"]["message"])
            elif kind == "error":
                raise ServerError(f"{message['error']['code']}: {message['error']['message']}")
        raise ServerError("the connection was lost")


async def run(seconds, video):
    url = f"{os.environ['DUPLEX_URL']}?mode={'video' if video else 'audio'}"
    async with websockets.connect(url, max_size=None) as ws:
        session = Session(ws, video)
        await session.event("session.queue_done")
        await ws.send(json.dumps({"type": "session.update", "session": {"instructions": "You are a friendly guide."}}))
        await session.event("session.created")
        speaker = asyncio.ensure_future(session.say(seconds))
        try:
            await session.listen()
        finally:
            session.over = True
            speaker.cancel()


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        folder = os.environ.get("DUPLEX_VIDEO")
        audio_only = os.environ.get("CONFORM_PROFILE", "").endswith("audio")
        video = sorted(pathlib.Path(folder).glob("*.jpg")) if folder and not audio_only else []
        asyncio.run(run(read_sound(os.environ["DUPLEX_AUDIO"]), video))
    except Exception:
        log.exception("the session failed")
        sys.exit(1)


main()
