#!/usr/bin/python3
"""Speaks a sound file to an Ojin server and counts the frames that come back.

OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID and OJIN_AUDIO say where and what. Exit 1 on any error, which is in the log.
"""

import asyncio
import json
import logging
import os
import struct
import sys
import time
import urllib.parse
import wave

import websockets

log = logging.getLogger("ojin")
CHUNK_BYTES = 12800  # 400 ms
FRAME_BYTES = 1280


class ServerError(Exception):
    pass


def message(audio):
    return struct.pack("!BQI", 1, int(time.time() * 1000), 0) + audio


async def speak(ws, audio):
    for at in range(0, len(audio), CHUNK_BYTES):
        await ws.send(message(audio[at : at + CHUNK_BYTES]))
        await asyncio.sleep(0.4)
    await ws.send(json.dumps({"type": "endInteraction", "payload": {"timestamp": int(time.time() * 1000)}}))


async def receive(ws, ready):
    frames = 0
    async for data in ws:
        if isinstance(data, str):
            text = json.loads(data)
            if text["type"] == "sessionReady":
                ready.set()
            elif text["type"] == "errorResponse":
                raise ServerError(f"{text['payload']['code']}: {text['payload']['message']}")
            continue
        frames += 1
        if data[0] == 1:
            return frames
    raise ServerError("the server closed the connection before the final frame")


async def session(audio):
    url = os.environ["OJIN_URL"] + "?" + urllib.parse.urlencode({"config_id": os.environ["OJIN_CONFIG_ID"]}, quote_via=urllib.parse.quote)
    headers = {"Authorization": os.environ["OJIN_API_KEY"]}
    async with websockets.connect(url, extra_headers=headers, max_size=None, ping_interval=30, ping_timeout=10) as ws:
        ready = asyncio.Event()
        receiver = asyncio.ensure_future(receive(ws, ready))
        waiter = asyncio.ensure_future(asyncio.wait_for(ready.wait(), 10))
        await asyncio.wait([receiver, waiter], return_when=asyncio.FIRST_COMPLETED)
        if receiver.done():
            waiter.cancel()
            return receiver.result()
        waiter.result()
        if os.environ.get("CONFORM_PROFILE") != "oris-1.0-earlier":
            await ws.send(message(bytes(FRAME_BYTES)))
        sender = asyncio.ensure_future(speak(ws, audio))
        try:
            return await receiver
        finally:
            sender.cancel()


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        with wave.open(os.environ["OJIN_AUDIO"], "rb") as file:
            if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (16000, 1, 2):
                raise ValueError("only 16 bit mono at 16 kHz is spoken")
            audio = file.readframes(file.getnframes())
        log.info("%d frames", asyncio.run(session(audio)))
    except Exception:
        log.exception("the session failed")
        sys.exit(1)


main()
