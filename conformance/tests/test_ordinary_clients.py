"""Clients that are refused, and exit 1: none has crashed, whatever it logged.

Ordinary clients (conformance/tests/ordinary) log their exceptions, stack and all; what they do right passes. The minimal clients report
the error where their tier lets them.
"""

import shutil
import sys
import unittest

from runner_case import BIN, NODE_CLIENT, PYTHON, SOURCE, RunnerCase

ORDINARY = SOURCE / "conformance/tests/ordinary"
MINIMAL = SOURCE / "conformance/clients/minimal"

# A way of refusing, by the name of its case: the steps of the server, and a line outside the blocks.
OJIN = {
    "http-401": ("refuse status=401", ""),
    "http-403": ("refuse status=403", ""),
    "http-429": ('refuse status=429 header="Retry-After: 1"', ""),
    "http-503": ("refuse status=503", ""),
    "never-answered": ("ignore for=1s", ""),
    "expired-certificate": ("accept\nserve until=close", "tls expired\ncheck  refuses  MUST  count received:upgrade max=0"),
    "error-for-ready": ("accept\nsend error code=MODEL_NOT_FOUND\nclose code=1008", ""),
    "error-and-open": ("accept\nsend error code=BACKEND_UNAVAILABLE\nserve until=close", ""),
    "plain-text-for-ready": ('accept\nsend text text="No backend servers available."\nclose code=1013', ""),
    "empty-text-for-ready": ('accept\nsend text text=""\nclose code=1013', ""),
    "closed-at-once": ('accept\nclose code=1008 reason="no"', ""),
    "reset-at-once": ("accept\nreset", ""),
    "dropped-at-once": ("accept\ndrop", ""),
    "error-in-stream": ("accept\nserve until=speech:5\nsend error code=INTERNAL_ERROR\nclose code=1011", ""),
    "plain-text-in-stream": ('accept\nserve until=speech:5\nsend text text="It broke."\nserve until=close', ""),
    "closed-in-stream": ("accept\nserve until=speech:5\nclose code=1012", ""),
    "reset-in-stream": ("accept\nserve until=speech:5\nreset", ""),
    "dropped-in-stream": ("accept\nserve until=speech:5\ndrop", ""),
    "reserved-bits": ("accept\nserve until=speech:5\nraw opcode=text rsv=7 text=x\nserve until=close", ""),
}
DUPLEX = {
    "http-403": ("refuse status=403", ""),
    "http-503": ("refuse status=503", ""),
    "never-answered": ("ignore for=1s", ""),
    "queue-full": ("accept\nsend error code=queue_full\nclose code=1013", ""),
    "plain-text": ('accept\nsend text text="no such model"\nclose code=1003', ""),
    "closed-in-queue": ("accept\nsend queued position=1\nclose code=1013", ""),
    "reset-in-queue": ("accept\nsend queued position=1\nreset", ""),
    "dropped-for-created": ("accept\nsend queue_done\ndrop", ""),
    "error-in-stream": ("accept\nserve until=received:3\nsend error code=inference_error\nserve until=close", ""),
    "session-closed": ("accept\nserve until=received:3\nsend closed reason=server_shutdown\nclose", ""),
    "closed-in-stream": ("accept\nserve until=received:3\nclose code=1011", ""),
    "reset-in-stream": ("accept\nserve until=received:3\nreset", ""),
}
CASE = """case     FAMILY/refused/NAME
title    "The mock refuses: NAME"
expect   "The client ends"
clause   CLAUSE MUST
limit    15s
LINE

plan {
  speak "hello-1s.wav"
  end
}
server {
STEPS
}
"""


class OrdinaryClients(RunnerCase):
    def refuse(self, family, ways, clause, *words, tier="wire"):
        (self.folder / "cases").mkdir(exist_ok=True)
        for name, (steps, line) in ways.items():
            text = CASE.replace("FAMILY", family).replace("NAME", name).replace("CLAUSE", clause)
            self.write(f"cases/{name}.session", text.replace("LINE", line).replace("STEPS", steps))
        done, report = self.run_suite(*words, options=["--family", family, "--tier", tier, "--cases", self.folder / "cases"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        ends = {case["name"].rpartition("/")[2]: (case["verdict"], case["end"]) for case in report["cases"]}
        self.assertEqual({name: end for name, end in ends.items() if end not in (("PASS", ""), ("INFO", ""))}, {}, done.stdout)
        self.assertEqual(sorted(ends), sorted(ways))
        return report

    def smoke(self, family, *words):
        done, report = self.run_suite(*words, options=["--family", family, "--tier", "wire", "--set", "smoke"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["id"]: row["verdict"] for row in report["requirements"] if row["verdict"] in ("FAIL", "DISPUTED", "WARN", "ERROR")}, {})

    def node(self, name):
        """Beside the packages of the ready client, which it shares."""
        (self.folder / "node_modules").symlink_to(NODE_CLIENT.parent / "node_modules")
        return "node", shutil.copy(ORDINARY / name, self.folder)

    def test_ojin_python(self):
        report = self.refuse("ojin", OJIN, "OJ-ERR-01", PYTHON, ORDINARY / "ojin.py")
        remarks = [check["actual"] for case in report["cases"] for check in case["checks"] if check["name"] == "exit"]
        self.assertEqual(len(remarks), len(OJIN), "each with its exception")
        self.smoke("ojin", PYTHON, ORDINARY / "ojin.py")

    def test_ojin_node(self):
        words = self.node("ojin.mjs")
        self.refuse("ojin", OJIN, "OJ-ERR-01", *words)
        self.smoke("ojin", *words)

    def test_duplex_python(self):
        self.refuse("duplex", DUPLEX, "DX-ERR-02", PYTHON, ORDINARY / "duplex.py")
        self.smoke("duplex", PYTHON, ORDINARY / "duplex.py")

    def test_duplex_node(self):
        words = self.node("duplex.mjs")
        self.refuse("duplex", DUPLEX, "DX-ERR-02", *words)
        self.smoke("duplex", *words)

    def test_minimal_clients_of_each_tier(self):
        clients = {
            "python": [("wire", PYTHON, MINIMAL / "wire.py"), ("plan", PYTHON, MINIMAL / "plan.py"), ("observe", PYTHON, MINIMAL / "observe.py")],
            "node": [("wire", "node", MINIMAL / "wire.mjs"), ("plan", "node", MINIMAL / "plan.mjs"), ("observe", "node", MINIMAL / "observe.mjs")],
            "c": [("wire", BIN / "minimal-client"), ("plan", BIN / "minimal-plan-client"), ("observe", BIN / "minimal-plan-client", "--observe")],
        }
        ways = {name: way for name, way in OJIN.items() if "certificate" not in name}  # they speak no TLS
        for language, rows in clients.items():
            for tier, *words in rows:
                with self.subTest(language, tier=tier):
                    report = self.refuse("ojin", ways, "OJ-ERR-01", *words, tier=tier)
                    self.assertEqual([case["name"] for case in report["cases"] for check in case["checks"] if check["name"] == "exit"], [])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
