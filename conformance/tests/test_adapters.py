"""The ready clients to copy: each passes every case and reaches nearly every requirement, and a fault of a line or two that is
planted in one is laid to what it breaks.
"""

import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import unittest

from runner_case import (
    BIN,
    NODE_CLIENT,
    NODE_DUPLEX_CLIENT,
    NODE_INTERVIEW_CLIENT,
    PYTHON,
    PYTHON_CLIENT,
    PYTHON_DUPLEX_CLIENT,
    PYTHON_INTERVIEW_CLIENT,
    RUN_TIMEOUT_S,
    SOURCE,
    TRIES,
    RunnerCase,
    needs,
    wait_for_calm,
)

sys.path.insert(0, str(SOURCE / "ci/tests"))
import printed  # noqa: E402

# Cases at the same time: a client mostly waits for its mock.
WIDE_JOBS = 10 * (os.cpu_count() or 1)
UNREACHED = ("UNSUPPORTED", "NOTREACHED", "INCONCLUSIVE")


def client_rows(prefix):
    """The ids of what binds a client of a family."""
    rows = (line.split("\t") for line in (SOURCE / "codec/rules/requirements.tsv").read_text().splitlines())
    return {row[0] for row in rows if row[0].startswith(prefix) and row[1] == "client"}


class Fault:
    """A change of a client, the cases that are about it, and the one requirement that is to fail by it."""

    def __init__(self, name, cases, old, new, failed):
        self.name, self.cases, self.change, self.failed = name, cases, (old, new), failed


PYTHON_FAULTS = [
    Fault(
        "puts a scheme in front of the key",
        ["connect/handshake", "connect/config*", "end/final-frame"],
        '{"Authorization": key}',
        '{"Authorization": "Bearer " + key}',
        "OJ-CON-02",
    ),
    Fault(
        "writes the timestamp in the byte order of its machine",
        ["input/format", "input/params", "end/final-frame"],
        "struct.pack(HEADER_FORMAT, AUDIO, now_ms(), len(params_json))",
        'struct.pack("!B", AUDIO) + struct.pack("<Q", now_ms()) + struct.pack("!I", len(params_json))',
        "OJ-IN-01",
    ),
    Fault(
        "takes the size of a payload at its word",
        ["frame/huge-size", "frame/lying-size", "frame/cut-in*", "frame/count*", "frame/image-first"],
        "if size > len(data) - offset:",
        "if False:",
        "OJ-OUT-09",
    ),
    Fault(
        "plays speech that it cancelled",
        ["cancel/late-speech", "cancel/while*", "cancel/stray*"],
        "if frame.interaction in self.cancelled:",
        "if False:",
        "OJ-CAN-03",
    ),
    Fault(
        "plays what it still held of a lost session in the next one",
        ["reconnect/begins*", "reconnect/retry*"],
        "        session = self.new_session()\n",
        "        session = self.new_session()\n        session.buffer.extend(old.buffer)\n",
        "OJ-CLS-04",
    ),
]

NODE_FAULTS = [
    Fault(
        "leaves the characters of the config id as they are",
        ["connect/handshake", "connect/config*", "end/final-frame"],
        "${encodeURIComponent(configId)}",
        "${configId}",
        "OJ-CON-13",
    ),
    Fault(
        "tells the time in seconds",
        ["input/format", "input/params", "end/final-frame"],
        "BigInt(Date.now())",
        "BigInt(Date.now()) / 1000n",
        "OJ-IN-02",
    ),
    Fault(
        "stops reading at a payload type that it does not know",
        ["frame/unknown-type", "frame/image-first", "frame/cut-in*", "frame/count*"],
        "    if (type === AUDIO)",
        "    if (type > IMAGE) break;\n    if (type === AUDIO)",
        "OJ-OUT-04",
    ),
    Fault(
        "says nothing of an error",
        ["error/code-timeout", "error/code-internal-error", "connect/handshake"],
        "this.reportError(code, text);\n    this.refused",
        "this.refused",
        "OJ-ERR-01",
    ),
    Fault(
        "does not skip silence",
        ["buffer/silence-burst", "buffer/burst", "buffer/own-speech"],
        "if (frame.index === SILENCE && this.buffer.length > BUFFER_FRAMES) {",
        "if (false) {",
        "OJ-BUF-02",
    ),
]

PYTHON_DUPLEX_FAULTS = [
    Fault(
        "does not wait in the queue",
        ["connect/queued", "connect/queue-updates", "connect/handshake"],
        "        work = [self.await_session(), self.stream(),",
        "        self.receive_queue_done({})\n        work = [self.await_session(), self.stream(),",
        "DX-CON-02",
    ),
    Fault(
        "writes base64 for URLs",
        ["append/whole-speech", "append/two*", "connect/handshake"],
        'members = {"audio": base64.b64encode(sound)',
        'members = {"audio": base64.urlsafe_b64encode(sound)',
        "DX-APP-01",
    ),
    Fault(
        "does not take end_of_turn for the end of a turn",
        ["output/single*", "output/last-delta*", "output/unknown*"],
        'if not self.hold(sound, text_of(message, "text"), ends):',
        'if not self.hold(sound, text_of(message, "text"), False):',
        "DX-OUT-03",
    ),
    Fault(
        "interrupts, and plays on",
        ["interrupt/answered*", "interrupt/never*", "output/answer"],
        '        self.drop("cancelled")\n',
        '        self.observe("cancelled", at=self.player.at(time.monotonic()), samples=0)\n',
        "DX-OUT-07",
    ),
    Fault(
        "ends the session at any error",
        ["error/codes-going-on", "error/unknown-code", "error/twelve*", "connect/handshake"],
        "if code in CLOSING_ERRORS:",
        "if True:",
        "DX-ERR-01",
    ),
]

NODE_DUPLEX_FAULTS = [
    Fault(
        "says session.update with each session.queue_done",
        ["connect/queue-done-twice", "connect/queue-goes-on", "connect/handshake"],
        "receiveQueueDone() {\n    if (this.queueDone) return;",
        "receiveQueueDone() {",
        "DX-CON-04",
    ),
    Fault(
        "speaks twice as loudly as it was given",
        ["append/whole-speech", "append/two*", "connect/handshake"],
        "sound.readInt16LE(at) / 32768",
        "sound.readInt16LE(at) / 16384",
        "DX-APP-07",
    ),
    Fault(
        "puts its pictures into URLs",
        ["append/pictures", "append/no-pictures", "connect/handshake"],
        "[picture.toString('base64')]",
        "['data:image/jpeg;base64,' + picture.toString('base64')]",
        "DX-APP-08",
    ),
    Fault(
        "drops the beginning of a turn that is shorter than a second",
        ["output/first-delta", "output/answer", "output/unknown-members"],
        "this.player.add(now(), sound,",
        "this.player.add(now(), ends || sound.length === 96000 ? sound : sound.subarray(0, 0),",
        "DX-OUT-01",
    ),
    Fault(
        "says nothing of session.closed",
        ["close/closed-and-left-open", "close/reasons", "close/closed-by-user"],
        "    this.observe('state', { code: 'session-closed', text: reason });\n",
        "",
        "DX-CLS-02",
    ),
]


PYTHON_INTERVIEW_FAULTS = [
    Fault(
        "tries again after a refusal",
        ["connect/refused-1008"],
        "CLOSE_CODES_THAT_PASS = {1001, 1006,",
        "CLOSE_CODES_THAT_PASS = {1001, 1006, 1008,",
        "IV-CON-02",
    ),
    Fault(
        "tells the time in milliseconds",
        ["connect/handshake"],
        '"ai": "ai"}, "code", 1, False)',
        '"ai": "ai"}, "code", 1000, False)',
        "IV-IN-01",
    ),
    Fault(
        "interrupts, and plays on",
        ["interrupt/queued"],
        '        self.give_up_reply("cancelled")\n',
        '        self.observe("cancelled", at=self.player.at(time.monotonic()), samples=0)\n',
        "IV-IN-06",
    ),
    Fault(
        "plays no more than 200 ms of a chunk",
        ["output/long-chunk", "output/paddings"],
        "if not self.hold(sound, text, is_last):",
        "if not self.hold(sound[:9600], text, is_last):",
        "IV-OUT-01",
    ),
    Fault(
        "takes a result for an object",
        ["output/result-shapes", "output/result-of-a-turn"],
        "        self.observe(\"result\",",
        "        if isinstance(message.get(\"result\"), dict):\n            self.observe(\"result\",",
        "IV-OUT-04",
    ),
]

NODE_INTERVIEW_FAULTS = [
    Fault(
        "writes base64 for URLs",
        ["connect/handshake"],
        "audio: sound.toString('base64'), timestamp",
        "audio: sound.toString('base64url'), timestamp",
        "IV-IN-01",
    ),
    Fault(
        "loses a sample between two chunks",
        ["input/whole-answer"],
        "const chunk = answer.subarray(at, at + CHUNK_BYTES);",
        "const chunk = answer.subarray(at === 0 ? 0 : at + SAMPLE_BYTES, at + CHUNK_BYTES);",
        "IV-IN-02",
    ),
    Fault(
        "takes a partial transcript for a whole one",
        ["transcript/partial", "transcript/speakers"],
        "{ code: 'ai', text, final: false }",
        "{ code: 'ai', text, final: true }",
        "IV-OUT-03",
    ),
    Fault(
        "tells a user of no status but connected",
        ["output/status-before-connected"],
        "if (!STATUSES.includes(status)) return;",
        "if (status !== 'connected') return;",
        "IV-OUT-05",
    ),
    Fault(
        "knows the codes of the document alone",
        ["error/unknown-codes", "error/codes[[]OPENAI_API_ERROR]"],
        "    this.reportError(textOf(message, this.dialect.errorCode), textOf(message, 'message'));",
        "    if (!/^[A-Z]+_[A-Z]+_ERROR$/.test(textOf(message, this.dialect.errorCode))) return;\n"
        "    this.reportError(textOf(message, this.dialect.errorCode), textOf(message, 'message'));",
        "IV-ERR-01",
    ),
]


LATE_US = 200_000


class AdapterCase:
    """What each ready client is asked, in a class of its own."""

    family, prefix, interpreter = "ojin", "OJ-", PYTHON

    def test_reaches_nearly_all(self):
        """All cases in a few processes, which mostly wait."""
        asked = ["--persistent", "--family", self.family, "--profile", "all", "--tier", "observe", "--inferred", "-j", WIDE_JOBS]
        done, report = self.run_suite(self.interpreter, self.client, options=asked)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([case["name"] for case in report["cases"] if case["verdict"] in ("FAIL", "ERROR", "NOTREACHED")], [])
        verdicts = self.verdicts(report)
        self.assertEqual({id: verdict for id, verdict in verdicts.items() if verdict in ("FAIL", "ERROR")}, {})
        rows = client_rows(self.prefix)
        reached = {id for id in rows if verdicts.get(id, "UNSUPPORTED") not in UNREACHED}
        self.assertGreaterEqual(len(reached), 0.9 * len(rows), f"not reached: {sorted(rows - reached)}\n{done.stdout}")

    def failed_by(self, number, fault):
        """The cases of the first fault have a process each, those of another one process: the line that repeats a failure is tried of one
        of each kind."""
        report = self.folder / f"{number}.json"
        patterns = [word for pattern in fault.cases for word in ("--run", f"{self.family}/{pattern}")]
        options = ["--family", self.family, "--tier", "observe", "--inferred", "-j", 1 if number > 0 else 4, "--json", report]
        options += ["--out", self.folder / f"{number}.out", *(["--persistent"] if number > 0 else [])]
        words = ["run", *options, *patterns, "--", self.interpreter, self.changed_client(fault.change, client=self.client)]
        for _ in range(TRIES):
            done, written = self.until_judged(lambda _: (self.conform(*words), json.loads(report.read_text())), [fault.failed])
            if self.verdicts(written).get(fault.failed) == "FAIL" or max(case["lateness_us"] for case in written["cases"]) < LATE_US:
                break
            wait_for_calm()  # who reads late plays while it reads, and holds less than a case is about
        repeated = None
        if number < 2:
            again = next((case["repro"] for case in written["cases"] if case["verdict"] == "FAIL"), "true")
            repeated = self.until_it_ends_with(1, lambda: subprocess.run(
                shlex.split(again), cwd=self.folder, capture_output=True, text=True, timeout=RUN_TIMEOUT_S, check=False))
        return done, [id for id, verdict in self.verdicts(written).items() if verdict in ("FAIL", "ERROR")], repeated, written

    def test_faults_are_named(self):
        with concurrent.futures.ThreadPoolExecutor(len(self.faults)) as pool:
            outcomes = list(pool.map(self.failed_by, range(len(self.faults)), self.faults))
        for fault, (done, failed, repeated, report) in zip(self.faults, outcomes):
            with self.subTest(fault.name):
                self.skip_if_open(report, [fault.failed])
                self.assertEqual(failed, [fault.failed], done.stdout + done.stderr)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                if repeated is not None:
                    self.assertEqual(repeated.returncode, 1, repeated.stdout + repeated.stderr)
                    self.assertRegex(repeated.stdout, f"(?m)^{fault.failed} +FAIL ")


class PythonClient(AdapterCase, RunnerCase):
    client, faults = PYTHON_CLIENT, PYTHON_FAULTS


class PythonDuplexClient(AdapterCase, RunnerCase):
    family, prefix, client, faults = "duplex", "DX-", PYTHON_DUPLEX_CLIENT, PYTHON_DUPLEX_FAULTS


class PythonInterviewClient(AdapterCase, RunnerCase):
    family, prefix, client, faults = "interview", "IV-", PYTHON_INTERVIEW_CLIENT, PYTHON_INTERVIEW_FAULTS


@needs("node", packages="conformance/clients/node")
class NodeClient(AdapterCase, RunnerCase):
    interpreter, client, faults = "node", NODE_CLIENT, NODE_FAULTS


@needs("node", packages="conformance/clients/node")
class NodeDuplexClient(AdapterCase, RunnerCase):
    family, prefix, interpreter, client, faults = "duplex", "DX-", "node", NODE_DUPLEX_CLIENT, NODE_DUPLEX_FAULTS


@needs("node", packages="conformance/clients/node")
class NodeInterviewClient(AdapterCase, RunnerCase):
    family, prefix, interpreter, client, faults = "interview", "IV-", "node", NODE_INTERVIEW_CLIENT, NODE_INTERVIEW_FAULTS


MINIMAL = SOURCE / "conformance/clients/minimal"


class MinimalCase(RunnerCase):
    """Those on a bare socket that obey the plan or say what they see: each passes what its tier can be asked."""

    # The C client, whose processes are cheap, goes through all that is about what they say, the others through what reaches each requirement.
    ALL_OBSERVED = ("frame*", "end*", "close*", "connect/tls*")
    OBSERVED = (
        "connect/tls*", "close/codes[[]1000]", "close/end-in-message", "close/own-end", "close/rfc-bare-continuation", "end/before-close",
        "end/final-frame", "end/no-final-but-silence", "frame/byte-order", "frame/count-past-data", "frame/cut-everywhere", "frame/error-between",
        "frame/extreme-values", "frame/more-of-a-type", "frame/near-one-megabyte", "frame/nil-interaction", "frame/orders", "frame/picture-damaged",
        "frame/pictures-1024x1024", "frame/ping-inside", "frame/resolution-changes", "frame/sound-after-audio-size*", "frame/trailing-bytes",
    )  # fmt: skip

    def passes(self, tier, rows, *command, options=("--profile", "all")):
        done, report = self.run_suite(*command, options=["--inferred", *options])
        self.assertEqual((done.returncode, report["tier"]), (0, tier), done.stdout + done.stderr)
        reached = [id for id, verdict in self.verdicts(report).items() if verdict not in UNREACHED]
        self.assertGreaterEqual(len(reached), rows, f"{reached}\n{done.stdout}")

    def observes(self, cases, *command):
        options = ["--profile", "all", *(word for case in cases for word in ("--run", f"ojin/{case}"))]
        self.passes("observe", 40, *command, options=options)


SPEAKS_AND_INTERRUPTS = """
case     ojin/plan/idle
title    "idle is silence after speech"
clause   OJ-CAN-04 MUST
needs    cancel
limit    15s

plan {
  speak  "hello-1s.wav"
  cancel after=idle
  close
}
server {
  accept
  serve  until=close
}
check    silence-first  MUST  given=received:cancelInteraction  some sent:silence after=sent:speech until=received:cancelInteraction
"""


class MinimalClientsThatWait(MinimalCase):
    def test_idle_is_silence_after_speech(self):
        cases = self.folder / "cases/ojin/plan"
        cases.mkdir(parents=True)
        (cases / "idle.session").write_text(SPEAKS_AND_INTERRUPTS.lstrip())
        commands = [(BIN / "minimal-plan-client",), (PYTHON, MINIMAL / "plan.py")]
        commands += [("node", MINIMAL / "plan.mjs")] if shutil.which("node") else []
        for command in commands:
            with self.subTest(command):
                done, report = self.run_suite(*command, options=["--cases", self.folder / "cases"])
                self.assertEqual((done.returncode, report["summary"]["passed"]), (0, 1), done.stdout + done.stderr)


class MinimalWireClients(MinimalCase):
    """What conformance/ADAPTERS.md does not print of them: see TheWayToAVerdict."""

    def test_an_interview_is_found_by_its_variables(self):
        self.passes("wire", 7, PYTHON, MINIMAL / "interview_wire.py", options=("--family", "interview"))


class MinimalCClient(MinimalCase):
    def test_with_a_plan(self):
        self.passes("plan", 28, BIN / "minimal-plan-client")

    def test_with_observations(self):
        self.observes(self.ALL_OBSERVED, BIN / "minimal-plan-client", "--observe")


class MinimalPythonClient(MinimalCase):
    def test_with_a_plan(self):
        self.passes("plan", 28, PYTHON, MINIMAL / "plan.py")

    def test_with_observations(self):
        self.observes(self.OBSERVED, PYTHON, MINIMAL / "observe.py")


@needs("node")
class MinimalNodeClient(MinimalCase):
    def test_with_a_plan(self):
        self.passes("plan", 28, "node", MINIMAL / "plan.mjs")

    def test_with_observations(self):
        self.observes(self.OBSERVED, "node", MINIMAL / "observe.mjs")


# What the wire alone shows of each family.
WIRE_ROWS = {"ojin": 24, "duplex": 15, "interview": 7}
SMOKE_ROWS = 12  # of the smallest set alone
RUNS_BESIDE = 3
# The reader's own: takes all it needs as words; an adapter.
OWN_CLIENTS = {
    "my-client": f"""#!/bin/sh
test "$1 $3 $5 $7" = "--url --key --config --audio" || exit 99
export OJIN_URL="$2" OJIN_API_KEY="$4" OJIN_CONFIG_ID="$6" OJIN_AUDIO="$8"
exec {PYTHON} -B {SOURCE}/conformance/clients/minimal/wire.py
""",
    "adapter.mjs": f"""import {{ spawnSync }} from 'node:child_process';
process.exitCode = spawnSync('{BIN}/ojin-client', ['conform'], {{ stdio: 'inherit' }}).status;
""",
}


class TheWayToAVerdict(RunnerCase):
    """Each command that conformance/ADAPTERS.md prints works as printed, by itself in an empty folder; the reports are kept as JSON as well. Where the client is
    the reader's own, it is one of the minimal ones, or starts the reference client. A client of the
    wire tier goes through all its cases here, and is in no test above; of those about cancels and about sessionReady a quarter does.
    """

    def passes(self, command, folder, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout.splitlines()[-1], "^[1-9][0-9]* passed, 0 failed$")
        report = json.loads((folder / "report.json").read_text())
        if "--tier wire" in command:
            reached = [id for id, verdict in self.verdicts(report).items() if verdict not in UNREACHED]
            family = next((family for family in WIRE_ROWS if f"--family {family} " in command), "ojin")
            rows = SMOKE_ROWS if "--set smoke" in command else WIRE_ROWS[family]
            self.assertGreaterEqual(len(reached), rows, f"{reached}\n{done.stdout}")

    def call(self, command, folder):
        # The one with a floor under what is judged goes through as many cases as that takes.
        more = " --run ojin/cancel/next-speech-alone --run ojin/end/final-frame --run ojin/frame/orders" if "--min-judged" in command else ""
        more += " --shard 1/4" if "/cancel/*" in command or "/ready/*" in command else ""
        words = command.replace("ojin-conform run", f"ojin-conform run --json report.json{more}", 1)
        path = f"{BIN}:{self.folder}/bin:{os.environ['PATH']}"
        return subprocess.run(["/bin/sh", "-c", words], cwd=folder, capture_output=True, text=True,
                              env=os.environ | {"PATH": path, "TREE": str(SOURCE)}, timeout=RUN_TIMEOUT_S, check=False)

    def start(self, pool, number, command):
        """A run mostly waits, so that others go on beside it."""
        folder = self.folder / f"run-{number}"
        folder.mkdir()
        for name, text in OWN_CLIENTS.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        (folder / "known.txt").touch()
        return command, folder, pool.submit(self.call, command, folder).result

    @needs("node", "cc", packages="conformance/clients/node")
    def test_every_printed_command(self):
        commands = printed.of("test_adapters")
        self.assertGreaterEqual(len(commands), 12)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/python3").symlink_to(PYTHON)
        with concurrent.futures.ThreadPoolExecutor(RUNS_BESIDE) as pool:
            started = [self.start(pool, number, command) for number, command in enumerate(commands)]
            for command, folder, result in started:
                with self.subTest(command):
                    self.passes(command, folder, result())


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
