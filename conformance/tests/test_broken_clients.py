"""A client that breaks one requirement is failed for exactly that one, with --inferred; what follows from it is NOTREACHED.

Each is the Python adapter with one line changed.
"""

import sys
import unittest

from runner_case import PYTHON, PYTHON_CLIENT, RunnerCase


class BrokenClients(RunnerCase):
    def failed_by(self, old, new):
        source = PYTHON_CLIENT.read_text()
        self.assertEqual(source.count(old), 1, f"the client holds {old!r} {source.count(old)} times")
        client = self.write("client.py", source.replace(old, new))
        done, report = self.run_suite(PYTHON, client, options=["--inferred"])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        others = {id: verdict for id, verdict in self.verdicts(report).items() if verdict in ("ERROR", "UNSUPPORTED")}
        self.assertEqual(others, {})
        return sorted(id for id, verdict in self.verdicts(report).items() if verdict == "FAIL")

    def test_little_endian_header(self):
        self.assertEqual(self.failed_by('HEADER_FORMAT = "!BQI"', 'HEADER_FORMAT = "<BQI"'), ["OJ-IN-01"])

    def test_bearer_prefix(self):
        self.assertEqual(self.failed_by('{"Authorization": key}', '{"Authorization": "Bearer " + key}'), ["OJ-CON-02"])

    def test_a_message_of_524289_bytes(self):
        self.assertEqual(self.failed_by("MAX_MESSAGE_BYTES = 524288", "MAX_MESSAGE_BYTES = 524289"), ["OJ-IN-07"])

    def test_no_opening_silence(self):
        self.assertEqual(self.failed_by("await self.open_stream()", "pass"), ["OJ-RDY-04"])

    def test_believes_the_data_size(self):
        self.assertEqual(self.failed_by("if size > len(data) - offset:", "if False:"), ["OJ-OUT-09"])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
