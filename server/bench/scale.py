"""Mocks behind HAProxy, with the configuration in ci/examples/scale: scale.py [--checks]

First what that configuration promises: sessions and the control interface stick, health checks, draining. Then, but with
--checks, a table of sessions and CPU for one, two and four mocks, SESSIONS for each: every mock lets in no more, every
session has to get its frames at their pace, and one session more has to be refused.

The machine has fewer cores than all of these would like, so what N mocks can serve is reckoned from the CPU that they used:
the sessions that they would have when the busiest of them had used up one core. Uneven spreading makes that less.

Only 127.0.0.1 is ever spoken to. The last line sums up; exit 0: all held, 1: something did not, 2: wrong usage.
"""
import csv
import json
import os
import pathlib
import re
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from attack import OJIN, SILENCE, Sound, connect, frame, head

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
CONFIG = pathlib.Path(__file__).parents[2] / "ci/examples/scale/haproxy.cfg"
PORTS = (7700, 7810)  # those of the configuration; others take their place here
MOCKS_AT = 7800  # m1 is at the next
SESSIONS = 150  # for each mock
COUNTS = (1, 2, 4)  # of mocks
ROUNDS = 3
MEASURE_S = 5
WARM_S = 1
FRAMES_A_SECOND = 26
SHARE_OF_FRAMES = 0.95  # what a session has to get to be served
TIMES_WITH_TWO = 1.8
WAIT_S = 15
TICKS = os.sysconf("SC_CLK_TCK")


def wait_for(what):
    until = time.monotonic() + WAIT_S
    while not what():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def cpu_s(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def free_ports():
    """The first of as many ports in a row as the configuration has, none in use."""
    first, last = PORTS
    for base in range(20000 + os.getpid() % 50 * 200, 32000, 200):
        bound = []
        try:
            for port in range(base, base + last - first):
                bound.append(socket.socket())
                bound[-1].bind(("127.0.0.1", port))
            return base
        except OSError:
            continue
        finally:
            for one in bound:
                one.close()
    raise SystemExit("scale: no free ports in a row between 20000 and 32000")


def ask(port, path, data=None):
    """Status and body of what is answered."""
    asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", None if data is None else json.dumps(data).encode())
    try:
        with urllib.request.urlopen(asked, timeout=WAIT_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


class Process:
    def __init__(self, words, cwd):
        self.process = subprocess.Popen(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pid = self.process.pid

    def end(self, kill=False):
        """Its exit code; None: it had to be killed."""
        (self.process.kill if kill else self.process.terminate)()
        try:
            return self.process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        finally:
            self.process.stdout.close()
            self.process.stderr.close()


class Mock(Process):
    def __init__(self, setting, number, sessions):
        self.port = setting.port(MOCKS_AT + number)
        super().__init__([MOCK, "--port", str(self.port), "--log", "quiet", "--size", "320x240", "--sessions", str(sessions)], setting.folder)
        if not self.process.stdout.readline():
            raise SystemExit(f"scale: no mock: {self.process.stderr.read().decode()}")

    def sessions(self):
        return json.loads(ask(self.port, "/__mock/ready")[1])["sessions"]


class Setting:
    """HAProxy, and the mocks behind it by their number."""

    def __init__(self, mocks, sessions=SESSIONS):
        self.folder = tempfile.mkdtemp(prefix="scale-")
        self.base = free_ports()
        self.limit = sessions
        self.mocks, self.proxy = {}, None
        try:
            self.begin(mocks)
        except BaseException:
            self.__exit__()
            raise

    def begin(self, mocks):
        config = os.path.join(self.folder, "haproxy.cfg")
        with open(config, "w", encoding="utf-8") as file:
            file.write(re.sub(r"\b7[78]\d\d\b", lambda found: str(self.port(int(found[0]))), CONFIG.read_text(encoding="utf-8")))
        for number in range(1, mocks + 1):
            self.start(number)
        self.proxy = Process(["/usr/sbin/haproxy", "-db", "-q", "-f", config], self.folder)
        started = wait_for(lambda: self.proxy.process.poll() is not None or os.path.exists(os.path.join(self.folder, "haproxy.sock")))
        if not started or self.proxy.process.poll() is not None:
            raise SystemExit(f"scale: haproxy does not start: {self.proxy.process.stderr.read().decode()}")
        # Until it has looked for the first time it takes all for running.
        self.settled = self.are("DOWN", *({1, 2, 3, 4} - self.mocks.keys()))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in [*([self.proxy] if self.proxy else []), *self.mocks.values()]:
            one.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def port(self, in_the_configuration):
        return self.base + in_the_configuration - PORTS[0]

    def start(self, number):
        self.mocks[number] = Mock(self, number, self.limit)

    def tell(self, command):
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(WAIT_S)
            peer.connect(os.path.join(self.folder, "haproxy.sock"))
            peer.sendall(command.encode() + b"\n")
            heard = b""
            while data := peer.recv(65536):
                heard += data
        return heard.decode()

    def states(self):
        """What HAProxy thinks of each mock: UP, DOWN, DRAIN."""
        rows = csv.DictReader(self.tell("show stat").removeprefix("# ").splitlines())
        return {int(row["svname"][1:]): row["status"].split()[0] for row in rows if row["svname"].startswith("m")}

    def are(self, state, *numbers):
        return wait_for(lambda: all(self.states()[number] == state for number in numbers))


class Session(Sound):
    """`status` is that of the answer to its upgrade, `mock` the number of who gave it."""

    def __init__(self, port, path=OJIN):
        self.peer = connect(port)
        self.peer.sendall(head(path))
        heard = b""
        while b"\r\n\r\n" not in heard:
            data = self.peer.recv(65536)
            if not data:
                break
            heard += data
        answer, _, rest = heard.partition(b"\r\n\r\n")
        self.status = int(answer.split()[1]) if answer else 0
        named = re.search(rb"(?i)\r\nmock-server: m(\d)", answer)
        self.mock = int(named[1]) if named else None
        if self.status == 101:
            self.peer.sendall(SILENCE)
        self.peer.setblocking(False)
        self.buffer, self.last, self.shaken, self.got = bytearray(rest), None, True, []

    def leave(self):
        self.peer.setblocking(True)
        self.peer.sendall(frame(8, b"\x03\xe8"))
        self.peer.close()


class Load:
    """Sessions that are open, and are read from."""

    def __init__(self):
        self.chosen = selectors.DefaultSelector()
        self.open = []
        self.lost = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.open:
            one.peer.close()
        self.chosen.close()

    def add(self, count, port, path=OJIN):
        """Those that were let in."""
        added = []
        for number in range(count):
            one = Session(port, path)
            if one.status != 101:
                one.peer.close()
                continue
            added.append(one)
            self.open.append(one)
            self.chosen.register(one.peer, selectors.EVENT_READ, one)
            if number % 20 == 19:
                self.read(0)
        return added

    def read(self, seconds):
        until = time.monotonic() + seconds
        while True:
            now = time.monotonic()
            for key, _ in self.chosen.select(max(0, until - now)):
                if not key.data.take(time.monotonic(), key.data.got):
                    self.remove(key.data)
                    self.lost += 1
            if now >= until:
                return

    def frames(self, seconds):
        """How many each of the open sessions gets meanwhile."""
        for one in self.open:
            one.got.clear()
        self.read(seconds)
        return [len(one.got) for one in self.open]

    def remove(self, one):
        self.chosen.unregister(one.peer)
        self.open.remove(one)

    def leave(self, which):
        for one in which:
            self.remove(one)
            one.leave()


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, good, told=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        print(f"{'ok' if good else 'FAILED'}: {what}{f' ({told})' if told else ''}", flush=True)


# ---- what the configuration promises ----


def sticks(setting, tally):
    ports = [setting.port(7701 + number) for number in range(6)]
    right, homes = 0, set()
    with Load() as load:
        for number, port in enumerate(ports):
            told = json.loads(ask(port, "/__mock/scenarios", {})[1])
            [session] = load.add(1, port, "/" + told["url"].split("/", 3)[3] + "?config_id=any") or [None]
            control = f"/__mock/scenarios/{told['id']}"
            seen = [json.loads(ask(port, f"{control}/sessions")[1])["open"] for _ in range(3)]
            upgrades = json.loads(ask(port, f"{control}/journal/count?label=upgrade")[1])["found"]
            right += session is not None and f":{port}/" in told["url"] and seen == [1, 1, 1] and upgrades >= 1
            homes.add(session and session.mock)
            if number % 2:
                load.add(1, setting.port(7700))  # others come and go
        tally.check("a scenario, its session and its control requests meet at one mock", right == len(ports), f"{right} of {len(ports)} ports, mocks {sorted(homes)}")
        tally.check("the ports are spread over the mocks", homes == set(setting.mocks))
    status = [ask(setting.port(7700), path)[0] for path in ("/__mock/sessions", "/__mock/health")]
    tally.check("the port that spreads answers health, and nothing of one mock alone", status == [421, 200], str(status))


def spreads(setting, tally):
    with Load() as load:
        load.add(20, setting.port(7700))
        each = sorted(sum(one.mock == number for one in load.open) for number in setting.mocks)
        tally.check("sessions are spread evenly", each == [10, 10], str(each))


def health(setting, tally):
    tally.check("mocks that run are up, others are down", setting.settled and setting.are("UP", 1, 2), str(setting.states()))
    setting.start(3)
    tally.check("one that starts later is found", setting.are("UP", 3))
    with Load() as load:
        load.add(9, setting.port(7700))
        before = sum(one.mock == 3 for one in load.open)
        setting.mocks.pop(3).end(kill=True)
        down = setting.are("DOWN", 3)
        added = load.add(8, setting.port(7700))
        load.read(0.5)
        tally.check("one that dies is left out, and costs its own sessions alone", before == 3 and down and len(added) == 8 and load.lost == before,
                    f"{load.lost} lost, {len(added)} of 8 let in after it")


def drains(setting, tally):
    with Load() as load:
        load.add(20, setting.port(7700))
        stuck = next(port for port in range(setting.port(7710), setting.port(7799)) if load.add(1, port)[0].mock == 1)
        setting.tell("set server mocks/m1 state drain")
        there = sum(one.mock == 1 for one in load.open)
        added = load.add(10, setting.port(7700))
        tally.check("a drained mock gets no new sessions", setting.states()[1] == "DRAIN" and [one.mock for one in added] == [2] * 10)
        tally.check("a port that stays with it goes on", [one.mock for one in load.add(1, stuck)] == [1])
        there += 1
        got = load.frames(2)
        tally.check("its sessions go on", load.lost == 0 and min(got) > 0, f"{there} there, {load.lost} lost, each got {min(got)} frames or more in 2 s")
        load.leave([one for one in load.open if one.mock == 1])
        idle = wait_for(lambda: setting.mocks[1].sessions() == 0)
        code = setting.mocks.pop(1).end()
        got = load.frames(1)
        tally.check("once idle it stops, and no session was lost", idle and code == 0 and load.lost == 0 and min(got) > 0, f"{len(load.open)} go on, exit {code}")


# ---- the table ----


class Row:
    def __init__(self, mocks):
        self.mocks, self.asked = mocks, mocks * SESSIONS
        with Setting(mocks) as setting, Load() as load:
            load.add(self.asked, setting.port(7700))
            self.refused = Session(setting.port(7700)).status
            load.read(WARM_S)
            pids = [setting.proxy.pid, os.getpid(), *(mock.pid for mock in setting.mocks.values())]
            before, begun = [cpu_s(pid) for pid in pids], time.monotonic()
            got = load.frames(MEASURE_S)
            took = time.monotonic() - begun
            self.proxy, self.generator, *self.each = [(cpu_s(pid) - was) / took for pid, was in zip(pids, before)]
            self.frames = sum(got) / took
            self.served = sum(one >= SHARE_OF_FRAMES * FRAMES_A_SECOND * MEASURE_S for one in got)
        self.capacity = self.served / max(self.each)


def middle(values, key=None):
    return sorted(values, key=key)[len(values) // 2]


def table(tally):
    """One, two and four mocks in turn, several times: what counts is what is in the middle."""
    print(f"\n{'':6} {'sessions':>8} {'':>9} CPU, in percent of a core:{'':16} sessions with\n"
          f"{'mocks':>6} {'served':>8} {'frames/s':>9} {'mocks':>8} {'busiest':>8} {'HAProxy':>8} {'reader':>8} {'a core each':>14} {'times':>6}", flush=True)
    rounds = [[Row(mocks) for mocks in COUNTS] for _ in range(ROUNDS)]
    rows, times = [], {}
    for place, mocks in enumerate(COUNTS):
        row = middle([one[place] for one in rounds], lambda one: one.capacity)
        rows.append(row)
        times[mocks] = middle([one[place].capacity / one[0].capacity for one in rounds])
        print(f"{mocks:6} {row.served:8} {row.frames:9.0f} {100 * sum(row.each):8.1f} {100 * max(row.each):8.1f} {100 * row.proxy:8.1f} {100 * row.generator:8.1f}"
              f" {row.capacity:14.0f} {times[mocks]:6.2f}")
    print(f"\nserved: got {100 * SHARE_OF_FRAMES:.0f} % of their {FRAMES_A_SECOND} frames a second or more, for {MEASURE_S} s; each mock lets in {SESSIONS}\n"
          "sessions with a core each: those served, divided by the part of a core that the busiest mock used\n"
          f"times: those of one mock in the same round. The middle of {ROUNDS} rounds\n")
    for row in rows:
        tally.check(f"{row.asked} sessions are served by {row.mocks}, one more is refused", row.served == row.asked and row.refused == 503,
                    f"{row.served} served, answer {row.refused}")
    tally.check(f"two mocks serve {TIMES_WITH_TWO} times the sessions of one", rows[1].served >= TIMES_WITH_TWO * rows[0].served and times[2] >= TIMES_WITH_TWO,
                f"{times[2]:.2f}")


def main(words):
    if words not in ([], ["--checks"]):
        print(f"scale: {' '.join(words)}: expected --checks or nothing", file=sys.stderr)
        return 2
    tally = Tally()
    with Setting(2) as setting:
        for promise in (health, spreads, sticks, drains):
            promise(setting, tally)
    if not words:
        table(tally)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
