"""Clients that are broken where no MUST is: the suite warns, or says nothing, and fails them for nothing.

Each is a Python client with a line or two changed. What breaks a MUST is in conformance/defects, but for what is easier said of
these.
"""

import concurrent.futures
import json
import os
import sys
import unittest

from runner_case import PYTHON, PYTHON_CLIENT, SOURCE, RunnerCase

MINIMAL_CLIENT = SOURCE / "conformance/clients/minimal/observe.py"


class Broken:
    """A change of the adapter, the cases that are about it, what is to fail by it, and what gets a warning."""

    def __init__(self, name, cases, changes, failed, warned, options=("--inferred",), client=PYTHON_CLIENT):
        self.name, self.cases, self.changes, self.options, self.client = name, cases, changes, options, client
        self.failed, self.warned = failed, warned


DROPS_ODD_FRAMES = [
    (
        "        payloads[kind] = data[",
        "        if (kind == AUDIO and size == 0) or kind in payloads:\n"
        '            raise BadFrame("not one of each")\n'
        "        payloads[kind] = data[",
    )
]

ODD_FRAMES = ["frame/zero-length*", "frame/two-of-a-type*", "frame/byte-order", "frame/unknown-type*"]

BROKEN_CLIENTS = [
    Broken("drops frames with an empty or a second payload", ODD_FRAMES, DROPS_ODD_FRAMES, [], ["OJ-OUT-05"]),
    Broken(
        "drops frames with an empty or a second payload, strictly",
        ODD_FRAMES,
        DROPS_ODD_FRAMES,
        ["OJ-OUT-05"],
        [],
        ("--inferred", "--strict"),
    ),
    Broken(
        "plays each frame twice",
        ["buffer/burst"],
        [('        self.observe_frame("played", frame, audio)\n', '        self.observe_frame("played", frame, audio)\n' * 2)],
        [],
        ["OJ-BUF-03"],
    ),
    Broken(
        "takes every frame for a final one",
        ["end/final-frame"],
        [("            final=frame.final,\n", "            final=True,\n")],
        ["OJ-OUT-16"],
        [],
    ),
    # It reports what it read: -1 is what it made of 4294967295, and no fault of the adapter.
    Broken(
        "reads the index with a sign",
        ["frame/extreme-values", "frame/index-values"],
        [("struct.unpack_from(RESPONSE_FORMAT, data)", 'struct.unpack_from("!B16sQIiI", data)')],
        ["OJ-OUT-07"],
        [],
    ),
    Broken(
        "takes a final frame for one only while it is spoken to",
        ["end/final-frame", "end/while-idle"],
        [("        if frame.final and frame.interaction", "        if frame.final and frame.index == SPEECH and frame.interaction")],
        ["OJ-OUT-16"],
        [],
    ),
    Broken(
        "tells a lost connection as one that was closed",
        ["close/reset*", "close/end-in-message", "close/own-end"],
        [("self.ws.close_code or 1006", "1000")],
        ["OJ-CLS-02"],
        [],
    ),
    Broken(
        "forgets what is unsent when it is to speak again",
        ["input/second-speech"],
        [("        self.unsent.append((audio", "        self.unsent.clear()\n        self.unsent.append((audio")],
        ["OJ-IN-06"],
        [],
    ),
    Broken(
        "sends twice what was refused once",
        ["error/rate-limited"],
        [("            self.unsent.appendleft(self.latest_sent)\n", "            self.unsent.extendleft([self.latest_sent] * 2)\n")],
        ["OJ-IN-06"],
        [],
    ),
    Broken(
        "reports an error only when the frame after it was read",
        ["frame/error-between"],
        [
            (
                "    def receive_error(self, code, text):\n",
                "    def receive_error(self, code, text):\n"
                "        asyncio.get_running_loop().call_later(0.2, self.receive_error_late, code, text)\n\n"
                "    def receive_error_late(self, code, text):\n",
            )
        ],
        ["OJ-OUT-14"],
        [],
    ),
    Broken(
        "stays when the server breaks the protocol, and listens to nothing",
        ["close/rfc-reserved-bit", "close/rfc-masked", "close/rfc-cut-ping"],
        [
            (
                "        self.failed = True\n        self.send(CLOSE, struct.pack(\"!H\", code))\n        self.ended(1006)\n",
                "        self.failed = True\n        self.take_frame = lambda: False\n"
                '        self.observe(seen="error", code="PROTOCOL", text="the server broke the protocol")\n',
            )
        ],
        ["OJ-CLS-03"],
        [],
        client=MINIMAL_CLIENT,
    ),
    Broken(
        "takes any text for sessionReady",
        ["ready/other-text-first", "ready/minimal"],
        [('if message.get("type") == "sessionReady" and not self.ready:', 'if not self.ready and message.get("type") != "errorResponse":')],
        ["OJ-CON-06"],
        None,
    ),
    Broken(
        "waits two seconds for the final frame",
        ["end/final-*"],
        [("FINAL_TIMEOUT = 10", "FINAL_TIMEOUT = 2")],
        ["OJ-END-02"],
        None,
    ),
    Broken(
        "sends silence every five seconds",
        ["input/nothing-to-say"],
        [
            (
                "        chunk_bytes = EARLIER_CHUNK_BYTES",
                "        async def beat():\n"
                "            while not self.over:\n"
                "                await asyncio.sleep(5)\n"
                "                await self.send(build_message(bytes(FRAME_BYTES)))\n\n"
                "        self.beat = asyncio.ensure_future(beat())\n"
                "        chunk_bytes = EARLIER_CHUNK_BYTES",
            )
        ],
        ["OJ-IN-09"],
        None,
    ),
    # No requirement asks a session to go on after an error that is reported: this one is failed for nothing.
    Broken(
        "ends the session at its first error, and reads nothing more",
        ["error/code-*", "error/members-*", "error/unknown-code", "error/plain-*", "error/empty-text", "connect/text-like-*", "frame/cut-in-*", "close/reported*"],
        [
            (
                '        self.observe("error", code',
                "        if self.ws is not None:\n"
                "            self.left = True\n"
                "            asyncio.ensure_future(self.ws.close(1000))\n"
                '        self.observe("error", code',
            ),
            (
                "        try:\n            frame = parse_frame(data)\n",
                "        if getattr(self, \"left\", False):\n            return\n        try:\n            frame = parse_frame(data)\n",
            ),
        ],
        [],
        None,
    ),
    # KeyError where there are none, TypeError where they are null: one line of the client, and one fault.
    Broken(
        "dies of an error without details",
        ["error/code-timeout", "error/code-auth-failed", "error/members-*", "error/unknown-code", "cancel/confirmed-by-error", "reconnect/fatal-code*"],
        [('            code = payload.get("code")\n', '            len(payload["details"])\n            code = payload.get("code")\n')],
        ["OJ-ERR-02"],
        None,
    ),
    Broken(
        "dies of every error",
        ["error/code-timeout", "error/members-*", "error/unknown-code"],
        [('            code = payload.get("code")\n', '            code = payload["CODE"]\n')],
        ["OJ-ERR-01"],
        None,
    ),
    Broken(
        "dies of a sessionReady without parameters",
        ["ready/parameters-*", "ready/minimal", "cancel/speak-again"],
        [('            parameters = payload.get("parameters")\n', '            parameters = dict(payload["parameters"])\n')],
        ["OJ-RDY-02"],
        None,
    ),
    Broken(
        "waits for a final frame after a cancel",
        ["cancel/speak-again", "cancel/never-acknowledged", "cancel/confirmed-by-error"],
        [('        await self.send_control("cancelInteraction")\n', '        await self.send_control("cancelInteraction")\n        await self.until(lambda: self.final)\n')],
        ["OJ-CAN-04"],
        None,
    ),
    Broken(
        "sends timestamps with fractions in control messages",
        ["end/final-frame", "cancel/speak-again", "cancel/late-speech"],
        [('"payload": {"timestamp": now_ms()}', '"payload": {"timestamp": time.time() * 1000}')],
        ["OJ-END-01"],
        None,
    ),
    Broken(
        "tells every close as one with code 1000",
        ["close/codes*", "close/reported", "close/reset", "close/end-in-message"],
        [('self.observe("closed", code=code, text', 'self.observe("closed", code=1000, text')],
        ["OJ-CLS-01"],
        None,
    ),
    # As the documents recommend. It is not broken: silence comes in the middle of its speech, as what it sent is played out before there is more.
    Broken(
        "forwards its speech in real time, 400 ms every 400 ms",
        ["cancel/idle-confirmed*", "cancel/while-idle", "end/while-idle", "buffer/own-speech*", "buffer/silence-burst", "pause/between-speeches"],
        [
            ("EARLIER_CHUNK_BYTES if self.earlier else CHUNK_BYTES", "12800"),
            ("            self.sending = False\n", "            self.sending = False\n            await asyncio.sleep(0.4)\n"),
        ],
        [],
        [],
    ),
]


class ClientsBrokenInOnePlace(RunnerCase):
    def outcome(self, number, broken):
        """What fails, and what gets a warning."""
        folder = self.folder / str(number)
        folder.mkdir()
        client, report = self.changed_client(*broken.changes, client=broken.client), folder / "report.json"
        patterns = [word for pattern in broken.cases for word in ("--run", f"ojin/{pattern}")]
        places = ["--json", report, "--out", folder / "out", "--tier", "observe"]
        if broken.client == PYTHON_CLIENT:
            places += ["--persistent", "-j", 2]

        def run(_):
            done = self.conform("run", *broken.options, *places, *patterns, "--", PYTHON, client)
            return done, json.loads(report.read_text())

        done, written = self.until_judged(run, broken.failed + (broken.warned or []))
        verdicts = self.verdicts(written)
        failed = sorted(id for id, verdict in verdicts.items() if verdict in ("FAIL", "ERROR"))
        warned = sorted(id for id, verdict in verdicts.items() if verdict == "WARN")
        return done, failed, warned, written

    def test_each_fails_for_what_it_breaks(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            outcomes = list(pool.map(self.outcome, range(len(BROKEN_CLIENTS)), BROKEN_CLIENTS))
        for broken, (done, failed, warned, report) in zip(BROKEN_CLIENTS, outcomes):
            with self.subTest(broken.name):
                self.skip_if_open(report, broken.failed + (broken.warned or []))
                self.assertEqual(failed, broken.failed, done.stdout + done.stderr)
                causes = [cause["sentence"] for cause in report["causes"] if cause["fails"]]
                self.assertEqual(len(causes), len(broken.failed), done.stdout + done.stderr)
                self.assertEqual(done.returncode, 1 if broken.failed else 0, done.stdout + done.stderr)
                if broken.warned is not None:
                    self.assertEqual(warned, broken.warned, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
