"""Mixed sessions against ojin-mock for a while, with its memory watched: soak.py SECONDS

Clients of many kinds come and go: some talk, cancel and end, some ask for a test card, some vanish, hardly read, or send rubbish; and beside them one
attack of attack.py after another, with a rest behind each. What the mock does to them is not judged here; it must stay up,
answer a sound client to the last, come to its end on SIGTERM, leave no report of a sanitizer, and hold no more memory in the
rests, when an attack's connections are gone, than it did after the first third of the time, but for a margin. The seed is printed.

The last line sums up; exit 0: all held, 1: something did not.
"""
import asyncio
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

import websockets

import attack

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
KEY = "soak"
CLIENTS = 12  # at once
GROWTH_MB = 24  # allowed after the first third: what a few clients more at that moment take
QUARANTINE_MB = 8  # what AddressSanitizer keeps back of freed memory; it would look like growth
SAMPLE_S = 0.5
RELEASE_MS = 100  # how often it looks for memory to give back
LET_GO_S = 3  # after an attack, and then until its connections are gone: what it asked for is still being answered
GONE_S = 120
REST_S = 3
END_S = 10
SETTLE_S = 15
FRAME_BYTES = 1280
AUDIO = 1
REQUEST = (
    "GET /realtime?config_id={config} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Authorization: soak\r\n\r\n"
)


def input_message(rng, clock_ms, bytes_of_audio=FRAME_BYTES * 8):
    """000 InteractionInput: type, timestamp, size of the params, audio."""
    audio = struct.pack("<h", rng.randrange(-8000, 8000)) * (bytes_of_audio // 2)
    return struct.pack("!BQI", AUDIO, clock_ms, 0) + audio


class Mock:
    def __init__(self, report):
        environment = dict(os.environ)
        options = environment.get("ASAN_OPTIONS", "")
        environment["ASAN_OPTIONS"] = f"{options}:quarantine_size_mb={QUARANTINE_MB}:allocator_release_to_os_interval_ms={RELEASE_MS}:exitcode=99"
        self.report = report
        self.process = subprocess.Popen(
            [MOCK, "--port", "0", "--log", "quiet", "--size", "320x320"],
            stdout=subprocess.PIPE, stderr=report, text=True, env=environment)
        url = json.loads(self.process.stdout.readline())["url"]
        self.port = int(re.search(r":(\d+)/", url).group(1))
        self.resident_mb = []
        self.is_attacked = False
        self.counts = {}

    def sample(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            self.resident_mb.append(int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def url(self, config):
        return f"ws://127.0.0.1:{self.port}/realtime?config_id={config}"


# ---- clients, each for a few seconds at most ----


def connect(mock, config):
    return websockets.connect(mock.url(config), extra_headers={"Authorization": KEY}, compression=None,
                              max_size=None, open_timeout=4, close_timeout=1, ping_interval=None)


async def talk(mock, rng, config="soak"):
    async with connect(mock, config) as session:
        await asyncio.wait_for(session.recv(), 4)
        for _ in range(rng.randrange(1, 6)):
            await session.send(input_message(rng, 1760000000000, FRAME_BYTES * rng.randrange(1, 20)))
            await read_for(session, rng.uniform(0.05, 0.4))
        if rng.random() < 0.4:
            await session.send('{"type":"cancelInteraction","payload":{"timestamp":1760000000000}}')
            await read_for(session, 0.3)
        if rng.random() < 0.6:
            await session.send('{"type":"endInteraction","payload":{"timestamp":1760000000000}}')
            await read_for(session, 1)


async def read_for(session, seconds):
    async def read():
        while True:
            await session.recv()

    try:
        await asyncio.wait_for(read(), seconds)
    except asyncio.TimeoutError:
        pass


async def card(mock, rng):
    await talk(mock, rng, rng.choice(CARDS))


async def raw(mock, config="soak"):
    reader, writer = await asyncio.open_connection("127.0.0.1", mock.port)
    writer.write(REQUEST.format(config=config, port=mock.port).encode())
    return reader, writer


async def vanish(mock, rng):
    for _ in range(rng.randrange(1, 10)):
        reader, writer = await raw(mock)
        if rng.random() < 0.5:
            await asyncio.wait_for(reader.read(64), 2)
        writer.transport.abort()


def masked(opcode, payload, final=True):
    head = bytes([(0x80 if final else 0) | opcode])
    size = len(payload)
    head += bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack("!H", size) \
        if size < 65536 else bytes([0xFF]) + struct.pack("!Q", size)
    return head + bytes(4) + payload


async def hardly_read(mock, rng):
    reader, writer = await raw(mock)
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 4)
    writer.write(masked(2, input_message(rng, 1760000000000, FRAME_BYTES * 100)))
    for _ in range(rng.randrange(4, 20)):
        await asyncio.wait_for(reader.read(1024), 4)
        await asyncio.sleep(0.2)
    writer.transport.abort()


async def dawdle(mock, rng):
    _, writer = await asyncio.open_connection("127.0.0.1", mock.port)
    for byte in REQUEST.format(config="soak", port=mock.port).encode()[:rng.randrange(5, 30)]:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.1)
    writer.transport.abort()


async def rubbish(mock, rng):
    reader, writer = await asyncio.open_connection("127.0.0.1", mock.port)
    if rng.random() < 0.7:
        writer.write(REQUEST.format(config="soak", port=mock.port).encode())
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 4)
    pieces = [rng.randbytes(rng.randrange(1, 400)), masked(1, rng.randbytes(50)), masked(2, rng.randbytes(30)),
              masked(1, b'{"type":"cancelInteraction"'), masked(2, bytes(rng.choice([524289, 70000]))),
              masked(9, b"ping"), masked(2, b"half", final=False), masked(8, b"\x03")]
    for _ in range(rng.randrange(1, 5)):
        writer.write(rng.choice(pieces))
        await asyncio.sleep(0.02)
    try:
        await asyncio.wait_for(reader.read(65536), 0.5)
    finally:
        writer.transport.abort()


KINDS = [talk, talk, talk, card, card, vanish, hardly_read, dawdle, rubbish]
# What a client may meet that is put off: the faults of the cards, and what it brought about itself.
MET = (OSError, EOFError, asyncio.TimeoutError, websockets.WebSocketException, asyncio.LimitOverrunError)


async def visitor(mock, rng, until):
    clock = asyncio.get_running_loop()
    while clock.time() < until and mock.process.poll() is None:
        kind = rng.choice(KINDS)
        mock.counts[kind.__name__] = mock.counts.get(kind.__name__, 0) + 1
        try:
            await asyncio.wait_for(kind(mock, rng), 8)
        except MET:
            await asyncio.sleep(0.01)


async def attacks(mock, rng, until):
    clock = asyncio.get_running_loop()
    rows = [row for row in attack.ATTACKS if row[0] not in attack.APART]
    while clock.time() + attack.ATTACK_S + LET_GO_S + REST_S < until and mock.process.poll() is None:
        name, run, _ = rng.choice(rows)
        mock.counts[name] = mock.counts.get(name, 0) + 1
        mock.is_attacked = True
        before = mock.descriptors()
        try:
            await asyncio.to_thread(run, mock.port)
        except OSError:
            pass  # what a client may meet
        await asyncio.sleep(LET_GO_S)
        gone = min(until, clock.time() + GONE_S)
        while clock.time() < gone and mock.process.poll() is None and mock.descriptors() > before + CLIENTS:
            await asyncio.sleep(SAMPLE_S)
        mock.is_attacked = False
        await asyncio.sleep(REST_S)


async def watch(mock, until):
    clock = asyncio.get_running_loop()
    while clock.time() < until and mock.process.poll() is None:
        if not mock.is_attacked:
            mock.sample()
        await asyncio.sleep(SAMPLE_S)


# ---- the verdicts ----


async def still_serves(mock):
    """A sound client gets its ready and a frame."""
    try:
        async with connect(mock, "soak") as session:
            await asyncio.wait_for(session.recv(), SETTLE_S)
            await session.send(input_message(random.Random(1), 1760000000000))
            return isinstance(await asyncio.wait_for(session.recv(), SETTLE_S), bytes)
    except MET:
        return False


def ends(mock):
    """What is wrong with its end; None when nothing is."""
    if mock.process.poll() is not None:
        return f"ended by itself with status {mock.process.returncode}"
    mock.process.terminate()
    try:
        status = mock.process.wait(END_S)
    except subprocess.TimeoutExpired:
        mock.process.kill()
        mock.process.wait()
        return f"did not end within {END_S} s of SIGTERM"
    return None if status == 0 else f"ended with status {status}"


def memory(mock):
    """Growth after the first third, in MB: most of the last third over the most of the second."""
    third = max(1, len(mock.resident_mb) // 3)
    before, after = max(mock.resident_mb[third:2 * third] or mock.resident_mb), max(mock.resident_mb[-third:])
    print(f"resident {mock.resident_mb[0]:.0f} MB at first, {before:.0f} in the second third, "
          f"{after:.0f} in the last ({GROWTH_MB} more allowed)")
    return after - before


def sanitizer_report(report):
    report.seek(0)
    text = report.read().decode(errors="replace")
    found = re.search(r"(ERROR: \w+Sanitizer|runtime error:|Assertion).*", text)
    if found:
        print(text[max(0, found.start() - 200):found.start() + 4000])
    return found.group(0) if found else None


async def soak(mock, seconds, seed):
    until = asyncio.get_running_loop().time() + seconds
    visitors = [visitor(mock, random.Random(f"{seed} {n}"), until) for n in range(CLIENTS)]
    await asyncio.gather(*visitors, attacks(mock, random.Random(f"{seed} attacks"), until), watch(mock, until))
    return await still_serves(mock)


def main():
    seconds = float(sys.argv[1])
    seed = int(os.environ.get("SOAK_SEED", random.randrange(2**32)))
    print(f"seed {seed} (SOAK_SEED={seed} makes the same choices again)", flush=True)
    mock = Mock(tempfile.TemporaryFile())
    serves = asyncio.run(soak(mock, seconds, seed))
    wrong = [] if serves else ["a sound client was not served at the end"]
    if memory(mock) > GROWTH_MB:
        wrong.append("its memory grew")
    wrong += [what for what in (ends(mock), sanitizer_report(mock.report)) if what]
    for what in wrong:
        print(f"FAILED: {what}")
    print(", ".join(f"{n} {name}" for name, n in sorted(mock.counts.items())))
    print("0 passed, 1 failed" if wrong else "1 passed, 0 failed")
    return 1 if wrong else 0


def cards():
    listed = subprocess.run([MOCK, "--family", "ojin", "--list", "cards"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines() if line.startswith("mock.")]


if __name__ == "__main__":
    CARDS = cards()
    sys.exit(main())
