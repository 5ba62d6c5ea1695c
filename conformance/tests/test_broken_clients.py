"""Clients that are broken where no MUST is: the suite warns, or says nothing, and fails them for nothing.

Each is the Python adapter with a line or two changed. What breaks a MUST is in conformance/defects.
"""

import concurrent.futures
import json
import os
import sys
import unittest

from runner_case import PYTHON, RunnerCase


class Broken:
    """A change of the adapter, the cases that are about it, what is to fail by it, and what gets a warning."""

    def __init__(self, name, cases, changes, failed, warned, options=("--inferred",)):
        self.name, self.cases, self.changes, self.options = name, cases, changes, options
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
        ["OJ-OUT-06"],
        [],
    ),
    # No requirement asks a session to go on after an error that is reported: this one is failed for nothing.
    Broken(
        "ends the session at its first error",
        ["error/code-*", "error/members-*", "error/unknown-code", "error/plain-*", "frame/cut-in-*", "close/reported*"],
        [
            (
                '        self.observe("error", code',
                "        if self.ws is not None:\n"
                "            asyncio.ensure_future(self.ws.close(1000))\n"
                '        self.observe("error", code',
            )
        ],
        [],
        None,
    ),
]


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
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            outcomes = list(pool.map(self.outcome, range(len(BROKEN_CLIENTS)), BROKEN_CLIENTS))
        for broken, (done, failed, warned) in zip(BROKEN_CLIENTS, outcomes):
            with self.subTest(broken.name):
                self.assertEqual(failed, broken.failed, done.stdout + done.stderr)
                self.assertEqual(done.returncode, 1 if broken.failed else 0, done.stdout + done.stderr)
                if broken.warned is not None:
                    self.assertEqual(warned, broken.warned, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
