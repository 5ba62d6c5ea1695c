"""Frames of so many bytes at the pace of the mock's silence, by websockets: python-websockets.py BYTES

The way its documentation shows it: one task for each session, no compression. The frame is one object for all.
"""
import asyncio
import json
import signal
import sys

import websockets

PERIOD_S = 1 / 26
FRAME = b"\x01" * int(sys.argv[1])


async def serve(session, _path=None):
    try:
        await session.recv()
        clock = asyncio.get_running_loop()
        due = clock.time()
        while True:
            await session.send(FRAME)
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
