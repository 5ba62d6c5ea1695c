"""What the tests of the selftest share: running it, and a family whole."""

import json
import os
import re

from runner_case import BIN, CONFORM, RunnerCase

# Longer hangs: a whole selftest takes seven minutes beside other tests, and the machine may be busy with something else.
WHOLE_TIMEOUT_S = 2400
# Cases at the same time: most of a session is waiting.
WIDE_JOBS = 12 * (os.cpu_count() or 1)


def left_open(family):
    """What the whole selftest of a family did not see, for test_left_open."""
    return BIN.parent / f"left-open.{family}.json"


class SelftestCase(RunnerCase):
    def selftest(self, *options):
        path = self.folder / "selftest.json"
        done = self.conform("selftest", "--out", self.folder / "out", "--json", path, *options)
        return done, (json.loads(path.read_text()) if path.exists() else None)

    def ojin_selftest(self, *options):
        """Of one family, where any would do."""
        return self.selftest("--family", "ojin", *options)

    def copied_program(self):
        """In a folder of its own, with the data beside it, and the result of no selftest."""
        copy = self.folder / "bin/ojin-conform"
        copy.parent.mkdir()
        copy.write_bytes(CONFORM.read_bytes())
        copy.chmod(0o755)
        (self.folder / "share").symlink_to(BIN.parent / "share")
        return copy

    def defect(self, report, name):
        rows = [defect for row in report["requirements"] for defect in row["defects"] if defect["name"] == name]
        self.assertEqual(len(rows), 1, f"{name} in {report}")
        return rows[0]


class WholeSelftest(SelftestCase):
    """Everything of a `family`, whose requirements begin with `prefix`, once: what CI relies on. `coverage` then shows it.

    In virtual time each check has to be seen to fail. Those of a real transport may meet a late machine, which leaves a few of them open: they go
    to test_left_open, which asks for them when nothing else runs.
    """

    missed_max = 12  # each of them is asked for again

    timeout_s = WHOLE_TIMEOUT_S

    def test_every_requirement_is_seen_to_fail(self):
        left_open(self.family).unlink(missing_ok=True)
        done, report = self.selftest("--family", self.family, "--quick", "--jobs", WIDE_JOBS)
        unproven = [check for check in report["checks"] if not check["proven"]]
        missed = [row["id"] for row in report["requirements"] if not row["met"]]
        left_open(self.family).write_text(json.dumps({"missed": missed, "unproven": unproven}))
        self.assertEqual(done.returncode, 1 if unproven or missed else 0, done.stdout + done.stderr)
        self.assertIn("the correct client passes", done.stdout.splitlines()[-1])
        self.assertLessEqual(len(missed), self.missed_max, done.stdout)
        client_rows = self.coverage_rows(1 if unproven else 0)
        self.assertGreaterEqual(len(client_rows), self.rows_min)
        for row in client_rows:
            with self.subTest(row["id"]):
                self.assertTrue(row["cases"], "it has a case")
                self.assertTrue(row["defects"] or row["id"] in missed, "it has a defect that was caught")
        self.assertEqual({row["id"] for row in client_rows}, {row["id"] for row in report["requirements"]})
        transport = self.transport_cases()
        self.assertEqual([check for check in unproven if check["case"] not in transport], [], "each check is seen to fail")
        self.assertGreaterEqual(len(report["checks"]), self.checks_min)
        lines = [line for line in done.stdout.splitlines() if re.match(rf"^(ok|FAIL) +{self.prefix}-", line)]
        self.assertEqual(len(lines), len(client_rows), "a line a requirement")

    def transport_cases(self):
        lines = self.conform("list", "--family", self.family).stdout.splitlines()
        return {line.split()[0].partition("[")[0] for line in lines if " transport " in line}

    def coverage_rows(self, exit_code):
        done = self.conform("coverage", "--family", self.family, "--json")
        self.assertEqual(done.returncode, exit_code, done.stderr)
        self.assertEqual(done.stderr, "")
        rows = json.loads(done.stdout)["requirements"]
        table = self.conform("coverage", "--family", self.family)
        self.assertIn(f"{len(rows)} requirements, ", table.stdout.splitlines()[-1])
        return [row for row in rows if row["party"] == "client"]
