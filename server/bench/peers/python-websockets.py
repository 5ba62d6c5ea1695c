"""Recorded frames at the pace of the mock's silence, by websockets: python-websockets.py FILE

The way its documentation shows it: one task for each session, no compression. The frames are shared by all.

FILE holds frames one after another, each behind its length, four bytes, big-endian.
"""
import asyncio
import itertools
import json
import signal
import sys

import websockets

PERIOD_S = 1 / 26
LENGTH_BYTES = 4


def frames_read(path):
    with open(path, "rb") as file:
        while length := file.read(LENGTH_BYTES):
            yield file.read(int.from_bytes(length, "big"))


FRAMES = list(frames_read(sys.argv[1]))


async def serve(session, _path=None):
    try:
        await session.recv()
        clock = asyncio.get_running_loop()
        due = clock.time()
        for frame in itertools.cycle(FRAMES):
            await session.send(frame)
            due += PERIOD_S
            await asyncio.sleep(due - clock.time())
    except websockets.ConnectionClosed:
        pass


async def main():
    end = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end.set_result, None)
    async with websockets.serve(serve, "127.0.0.1", 0, compression=None, ping_interval=None, backlog=1024) as server:
        print(json.dumps({"port": server.sockets[0].getsockname()[1]}, separators=(",", ":")), flush=True)
        await end


asyncio.run(main())
