"""Python's websockets for tests, without time limits and pings of its own.

By default it gives up a peer that does not answer within 10 s, and one whose pongs a test has not read for 20 s: a test
fails then that reads nothing, or on a machine with other work. How long a test waits it says itself.
"""

import websockets

HANGS_S = 60  # only what hangs comes near it
PATIENT = {"ping_interval": None, "close_timeout": HANGS_S, "max_size": None}


def connect(url, **options):
    return websockets.connect(url, **(PATIENT | {"open_timeout": HANGS_S} | options))


def serve(handler, host, port, **options):
    return websockets.serve(handler, host, port, **(PATIENT | options))
