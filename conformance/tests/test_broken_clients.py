"""A client that breaks one requirement is failed for exactly that one, with --inferred; what follows from it is NOTREACHED.

Each is the Python adapter with a line or two changed, put through the cases that are about what it breaks, several at a time.
"""

import concurrent.futures
import json
import os
import sys
import unittest

from runner_case import PYTHON, RunnerCase


class Broken:
    """A change of the adapter, the cases that are about it, and what is to fail by it."""

    def __init__(self, name, cases, changes, failed, options=("--inferred",)):
        self.name, self.cases, self.changes, self.failed, self.options = name, cases, changes, failed, options


DROPS_ODD_FRAMES = [
    (
        "        payloads[kind] = data[",
        "        if (kind == AUDIO and size == 0) or kind in payloads:\n"
        '            raise BadFrame("not one of each")\n'
        "        payloads[kind] = data[",
    )
]

BROKEN_CLIENTS = [
    Broken(
        "swallows malformed frames silently",
        ["frame/*"],
        [('self.report_error("BAD_FRAME", error)', "pass")],
        ["OJ-OUT-08", "OJ-OUT-09", "OJ-OUT-10"],
    ),
    Broken("ignores is_final", ["end/*"], [("            self.final = True\n", "            pass\n")], ["OJ-OUT-16"]),
    Broken(
        "is deaf after a plain text",
        ["error/*"],
        [
            ('self.receive_error("", text)', 'self.receive_error("", text)\n            self.deaf = True'),
            ("def receive_frame(self, data):\n", 'def receive_frame(self, data):\n        if hasattr(self, "deaf"):\n            return\n'),
        ],
        ["OJ-ERR-05"],
    ),
    Broken(
        "throws away speech beyond the first message",
        ["input/*"],
        [("self.unsent.append((audio, params", "self.unsent.append((audio[:CHUNK_BYTES], params")],
        ["OJ-IN-06"],
    ),
    Broken("fails on CANCELLED", ["cancel/*"], [('if code == "CANCELLED" and', "if False and")], ["OJ-CAN-05"]),
    Broken(
        "plays speech that it cancelled",
        ["cancel/*"],
        [("if frame.interaction in self.cancelled:", "if False:")],
        ["OJ-CAN-03"],
    ),
    Broken(
        "plays nothing after a cancel",
        ["cancel/*"],
        [("if frame.interaction in self.cancelled:", "if self.cancelled:")],
        ["OJ-CAN-04"],
    ),
    Broken("does not slow down when limited", ["error/rate-limited"], [("            self.slow_down()", "            pass")], ["OJ-ERR-07"]),
    Broken(
        "reports codes without their message",
        ["error/code-*"],
        [("self.report_error(code, text)", 'self.report_error(code, "")')],
        ["OJ-ERR-01"],
    ),
    Broken(
        "tries again after a refusal",
        ["error/code-*", "connect/*"],
        [
            ("Backoff(attempts=0)", "Backoff(attempts=2)"),
            ("session.ending or session.lasting", "session.ending"),
        ],
        ["OJ-CON-04", "OJ-CON-05"],
    ),
    Broken(
        "drops frames with an empty or a second payload, strictly",
        ["frame/*"],
        DROPS_ODD_FRAMES,
        ["OJ-OUT-05"],
        ("--inferred", "--strict"),
    ),
    Broken("drops frames with an empty or a second payload", ["frame/*"], DROPS_ODD_FRAMES, []),
]

STRICT = ("--inferred", "--strict", "--profile", "all")

# One a requirement, through the cases about it.
BROKEN_CLIENTS += [
    Broken('puts the key in the URL', ['connect/key*'], [('?config_id=', '?api_key={key}&config_id=')], ['OJ-CON-03'], STRICT),
    Broken('logs the key', ['connect/key*'], [('    client = OjinClient(\n', '    print(os.environ["OJIN_API_KEY"], file=sys.stderr)\n    client = OjinClient(\n')], ['OJ-CON-03'], STRICT),
    Broken('trusts any certificate', ['connect/tls*'], [('                compression=None,', "                ssl=__import__('ssl')._create_unverified_context() if self.url.startswith('wss') else None,\n                compression=None,")], ['OJ-CON-09'], STRICT),
    Broken('keeps the load to itself', ['ready/load-and*'], [('load=load if type', 'load=None if type')], ['OJ-RDY-06'], STRICT),
    Broken('holds speech back', ['input/more*'], [('lambda: self.unsent and self.may_send', 'lambda: self.unsent and self.ending_soon and self.may_send'), ('        self.unsent = deque()', '        self.ending_soon = False\n        self.unsent = deque()'), ('        if await self.until(lambda: self.session.ready and', '        self.session.ending_soon = True\n        if await self.until(lambda: self.session.ready and')], ['OJ-IN-10'], STRICT),
    Broken('sends chunks of any size', ['input/chunks*'], [('EARLIER_CHUNK_BYTES = 5 * 12800', 'EARLIER_CHUNK_BYTES = 26000')], ['OJ-IN-11'], STRICT),
    Broken('refuses large pictures', ['frame/pictures*'], [('        payloads[kind] = data[', '        if kind == IMAGE and size > 25000:\n            continue\n        payloads[kind] = data[')], ['OJ-OUT-13'], STRICT),
    Broken('delivers frames out of order', ['frame/text-between'], [('            async for message in self.ws:\n', "            held = None\n            async for message in self.ws:\n                if held is None and not isinstance(message, str) and self.interaction is not None and message[1:17] == bytes.fromhex('22222222222242228222222222222222'):\n                    held = message\n                    continue\n                if held is not None and not isinstance(message, str):\n                    self.receive_frame(message)\n                    message, held = held, None\n")], ['OJ-OUT-14'], STRICT),
    Broken('mixes up interactions', ['frame/turns*', 'frame/nil*'], [('interaction=str(frame.interaction)', 'interaction=str(self.interaction or frame.interaction)')], ['OJ-OUT-17'], STRICT),
    Broken('limit of 64 KB, silently', ['frame/*-one-*'], [('    def receive_frame(self, data):\n', '    def receive_frame(self, data):\n        if len(data) > 65536:\n            return\n')], ['OJ-OUT-19'], STRICT),
    Broken('skips all silence above its target', ['buffer/silence-burst'], [('                silences += 1\n                if silences % 2 == 0 and self.buffer[0].index == SILENCE:\n', '                while len(self.buffer) > BUFFER_FRAMES and self.buffer[0].index == SILENCE:\n')], ['OJ-BUF-09'], STRICT),
    Broken('plays slowly', ['buffer/keeps*'], [('FRAME_SECONDS = 0.04', 'FRAME_SECONDS = 0.2')], ['OJ-BUF-03'], STRICT),
    Broken('plays its speech with silence frames', ['buffer/own*'], [('if frame.index != SPEECH or not self.own_speech', 'if not self.own_speech')], ['OJ-BUF-04'], STRICT),
    Broken('response audio shifted', ['buffer/response*'], [('        audio = frame.audio if self.earlier else self.next_own_speech(frame)', "        audio = frame.audio if self.earlier else self.next_own_speech(frame)\n        audio, self.late = getattr(self, 'late', None), audio")], ['OJ-BUF-06'], STRICT),
    Broken('plays sound two frames late', ['buffer/in-step'], [('        self.own_speech += audio\n', '        self.own_speech += bytes(2 * FRAME_BYTES) + audio\n')], ['OJ-BUF-07'], STRICT),
    Broken('forgets its speech at the first silence', ['buffer/starved', 'buffer/stall'], [('            self.idle = True\n', '            self.idle = True\n            self.own_speech.clear()\n')], ['OJ-FLD-08'], STRICT),
    Broken('closes without endInteraction', ['end/before*'], [('        await self.send_control("endInteraction")\n', '        await self.until(lambda: False, 2)\n        self.final = True\n')], ['OJ-END-04'], STRICT),
    Broken('closes with 4000', ['close/own*'], [('            await self.ws.close(1000)\n', '            await self.ws.close(4000)\n')], ['OJ-CLS-05'], STRICT),
    Broken('keeps sending after cancel', ['cancel/much*'], [('    async def cancel(self):\n        self.unsent.clear()', '    async def cancel(self):\n        pass'), ('self.settling_until = time.monotonic() + SETTLE_TIMEOUT', 'pass')], ['OJ-CAN-02'], STRICT),
    Broken('tells nobody of a cancel', ['cancel/while-due'], [('await self.send_control("cancelInteraction")', 'pass')], ['OJ-CAN-07'], STRICT),
    Broken('sends new speech while it settles', ['cancel/settles*'], [('self.settling_until = time.monotonic() + SETTLE_TIMEOUT', 'pass')], ['OJ-CAN-06'], STRICT),
    Broken('takes late frames for a new turn', ['cancel/fades'], [('            if frame.interaction in self.cancelled:', '            if False:')], ['OJ-FLD-03'], STRICT),
    Broken('hoards what it is to send', ['input/server-stops*'], [('        self.own_speech += audio\n', "        self.own_speech += audio\n        self.hoard = getattr(self, 'hoard', []) + [audio * 100]\n")], ['OJ-FLD-06'], STRICT),
    Broken('never skips silence', ['buffer/silence-burst'], [('if frame.index == SILENCE and len(self.buffer) > BUFFER_FRAMES:', 'if False:')], ['OJ-BUF-02'], STRICT),
]

# No requirement asks a session to go on after an error that is reported: this one is failed for nothing.
ENDS_AT_ITS_FIRST_ERROR = Broken(
    "ends the session at its first error",
    ["error/*", "frame/*", "close/*"],
    [
        (
            '        self.observe("error", code',
            "        if self.ws is not None:\n"
            "            asyncio.ensure_future(self.ws.close(1000))\n"
            '        self.observe("error", code',
        )
    ],
    [],
)


class ClientsBrokenInOnePlace(RunnerCase):
    def outcome(self, number, broken):
        """What fails, and what gets a warning."""
        folder = self.folder / str(number)
        folder.mkdir()
        client, report = self.changed_client(*broken.changes), folder / "report.json"
        patterns = [word for pattern in broken.cases for word in ("--run", f"ojin/{pattern}")]
        places = ["--json", report, "--out", folder / "out"]
        done = self.conform("run", *broken.options, *places, *patterns, "--", PYTHON, client)
        verdicts = self.verdicts(json.loads(report.read_text()))
        failed = sorted(id for id, verdict in verdicts.items() if verdict in ("FAIL", "ERROR"))
        warned = sorted(id for id, verdict in verdicts.items() if verdict == "WARN")
        return done, failed, warned

    def test_each_fails_for_what_it_breaks(self):
        clients = [*BROKEN_CLIENTS, ENDS_AT_ITS_FIRST_ERROR]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            outcomes = list(pool.map(self.outcome, range(len(clients)), clients))
        for broken, (done, failed, warned) in zip(clients, outcomes):
            with self.subTest(broken.name):
                self.assertEqual(failed, broken.failed, done.stdout + done.stderr)
                self.assertEqual(done.returncode, 1 if broken.failed else 0, done.stdout + done.stderr)
                if broken.changes is DROPS_ODD_FRAMES and not broken.failed:
                    self.assertEqual(warned, ["OJ-OUT-05"], done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
