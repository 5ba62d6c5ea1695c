"""The selftest is seen to fail, and what it says of each check."""

import json
import re
import sys
import unittest

from runner_case import SOURCE
from selftest_case import SelftestCase


class TriedSelftest(SelftestCase):
    def test_objects_to_a_defect_that_is_not_caught(self):
        done, report = self.ojin_selftest("--trial", "defects", "--run", "trial-nothing")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertFalse(self.defect(report, "trial-nothing")["caught"])
        self.assertIn("trial-nothing is not caught: it does nothing wrong", done.stdout)

    def test_objects_to_a_defect_that_breaks_another_requirement(self):
        done, report = self.ojin_selftest("--trial", "defects", "--run", "trial-on-the-wire")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        defect = self.defect(report, "trial-on-the-wire")
        self.assertFalse(defect["caught"])
        self.assertIn("OJ-CON-02", {trip["requirement"] for trip in defect["trips"]})

    def test_objects_to_a_must_that_is_not_declared(self):
        done, report = self.ojin_selftest("--trial", "defects", "--run", "trial-too-much")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        defect = self.defect(report, "trial-too-much")
        self.assertTrue(defect["caught"])
        self.assertFalse(defect["good"])
        trips = {trip["requirement"]: trip for trip in defect["trips"]}
        self.assertIn("OJ-IN-01", trips)
        self.assertNotIn("OJ-FHL-01", trips, "it is declared")
        self.assertRegex(done.stdout, r"trial-too-much trips OJ-IN-01 in ojin/")

    def test_sees_in_memory_what_the_cases_of_the_requirement_do_not_show(self):
        done, report = self.ojin_selftest("--trial", "defects", "--run", "trial-elsewhere")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        defect = self.defect(report, "trial-elsewhere")
        self.assertTrue(defect["caught"])
        self.assertEqual({trip["transport"] for trip in defect["trips"]}, {"memory"})
        self.assertIn(", in memory", done.stdout)

    def test_objects_to_a_requirement_without_a_defect(self):
        done, report = self.ojin_selftest("--trial", "defects", "--run", "OJ-CON-03")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(report["requirements"], [{"id": "OJ-CON-03", "met": False, "defects": []}])
        self.assertIn("OJ-CON-03  has no defect", done.stdout)

    def test_objects_to_a_correct_client_that_fails(self):
        done, report = self.ojin_selftest("--trial", "client", "--run", "bearer-prefix")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(self.defect(report, "bearer-prefix")["good"])
        self.assertFalse(report["client"]["good"])
        self.assertIn("OJ-IN-01", {trip["requirement"] for trip in report["client"]["failed"]})
        self.assertIn("the correct client fails OJ-IN-01", done.stdout)

    def test_goes_through_all_cases_of_the_requirement_unless_it_is_to_be_quick(self):
        for options, count in (([], 15), (["--quick"], 1)):
            with self.subTest(options):
                done, report = self.ojin_selftest("--run", "hides-fatal-code", *options)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(len(self.defect(report, "hides-fatal-code")["cases"]), count)

    def test_asks_of_all_families_that_are_built_and_of_no_other(self):
        done, report = self.selftest("--quick", "--run", "??-CON-01")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["id"] for row in report["requirements"]}, {"OJ-CON-01", "DX-CON-01", "IV-CON-01"})

    def test_is_content_with_a_good_defect(self):
        done, report = self.ojin_selftest("--run", "bearer-prefix")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(report["met"])
        self.assertEqual(self.defect(report, "bearer-prefix")["cases"], ["ojin/connect/handshake"])
        self.assertEqual(done.stderr, "", "no progress in a pipe")
        self.assertFalse((self.folder / "out").exists(), "nothing is left of what passed")


class Checks(SelftestCase):
    """Each check of each case is to be seen to fail."""

    def checks(self, report, case):
        return {check["check"]: check for check in report["checks"] if check["case"] == case}

    def test_a_check_that_a_defect_fails_is_proven(self):
        done, report = self.ojin_selftest("--memory", "--run", "OJ-OUT-0[12]")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        check = self.checks(report, "ojin/frame/byte-order")["read-whole"]
        self.assertEqual((check["requirement"], check["kept"], check["proven"]), ("OJ-OUT-01", True, True))
        self.assertIn("sizes-of-16-bits", check["defects"])
        self.assertRegex(done.stdout, r"\d+ of \d+ checks are seen to fail")
        self.assertIn("\nok    the correct client, all cases in memory\n", done.stdout)

    def test_a_check_that_nothing_can_fail_is_listed(self):
        case = "ojin/x/always"
        folder = self.folder / "cases/ojin/x"
        folder.mkdir(parents=True)
        script = (SOURCE / "conformance/cases/ojin/frame/byte-order.session").read_text()
        script = re.sub(r"^case .*$", f"case     {case}", script, count=1, flags=re.M)
        (folder / "always.session").write_text(script + "check    always  MUST  some received:upgrade\n")
        done, report = self.ojin_selftest("--memory", "--cases", self.folder / "cases", "--run", "OJ-OUT-01")
        checks = self.checks(report, case)
        self.assertFalse(checks["always"]["proven"], done.stdout)
        self.assertEqual(checks["always"]["defects"], [])
        self.assertTrue(checks["read-whole"]["proven"], done.stdout)
        self.assertIn(f"no defect fails {case}: always (OJ-OUT-01)", done.stdout)

    def test_variants_have_their_checks_in_common(self):
        done, report = self.selftest("--memory", "--family", "duplex", "--run", "DX-SES-02")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        checks = self.checks(report, "duplex/session/created-split")
        self.assertEqual(set(checks), {"keeps-id", "goes-on"}, "neither the rule, which decides nothing more")
        self.assertTrue(all("[" not in check["case"] for check in report["checks"]))

    def test_in_memory_nothing_of_a_real_transport_is_asked_for(self):
        done, report = self.ojin_selftest("--memory", "--run", "OJ-CLS-0[1-3]", "--run", "OJ-ERR-01")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([row["id"] for row in report["requirements"]], ["OJ-ERR-01"])
        self.assertEqual(self.checks(report, "ojin/close/rfc-masked"), {})

    def test_what_nothing_in_memory_catches_is_told(self):
        done, report = self.ojin_selftest("--memory", "--trial", "defects", "--run", "trial-nothing")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual([(row["id"], row["met"]) for row in report["requirements"]], [("OJ-CON-13", False)])
        self.assertIn("trial-nothing is not caught in memory: it does nothing wrong", done.stdout)

    def test_what_needs_a_transport_is_not_asked_for_in_memory(self):
        done, report = self.ojin_selftest("--memory", "--run", "OJ-CON-12")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([[defect["name"] for defect in row["defects"]] for row in report["requirements"]], [["json-is-text"]])

    def test_blunt_clients_prove_no_requirement(self):
        done, report = self.ojin_selftest("--memory", "--run", "OJ-ERR-01")
        names = {defect["name"] for row in report["requirements"] for defect in row["defects"]}
        self.assertNotIn("mute-about-errors", names)
        check = self.checks(report, "ojin/error/code-timeout")["reports"]
        self.assertIn("mute-about-errors", check["defects"], done.stdout)

    def test_coverage_fails_for_a_check_that_never_failed(self):
        _, report = self.ojin_selftest("--memory", "--run", "OJ-OUT-01")
        copy = self.copied_program()
        for proven in (True, False):
            with self.subTest(proven=proven):
                check = {"case": "ojin/frame/byte-order", "check": "read-whole", "requirement": "OJ-OUT-01", "kept": True,
                         "proven": proven, "defects": ["sizes-of-16-bits"] if proven else []}
                report["checks"] = [check]
                (copy.parent / "ojin-conform.selftest.ojin.json").write_text(json.dumps(report))
                done = self.run_program(copy, "coverage", "--family", "ojin", "--json")
                self.assertEqual((done.returncode, done.stderr), (0 if proven else 1, ""))
                self.assertEqual(json.loads(done.stdout)["checks"], [check])
                table = self.run_program(copy, "coverage", "--family", "ojin")
                self.assertEqual(table.returncode, 0 if proven else 1)
                self.assertIn(f"{int(proven)} of 1 checks were seen to fail", table.stdout)
                line = "no defect fails read-whole of ojin/frame/byte-order (OJ-OUT-01)"
                self.assertEqual(line in table.stdout, not proven)


class WrongUsage(SelftestCase):
    def test_wrong_words_are_told(self):
        for words, sentence in (
            (["--family", "nope"], "--family 'nope': expected ojin"),
            (["--run", "OJ-XYZ-*"], "no requirement and no defect matches --run"),
            (["--trial", "everything"], "--trial 'everything': expected defects or client"),
            (["--jobs", "0"], "--jobs '0': expected 1 to 64"),
            (["--full", "--quick"], "--full, --quick and --memory: expected one of them"),
            (["word"], "unexpected 'word'"),
        ):
            with self.subTest(words):
                done, _ = self.selftest(*words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(sentence, done.stderr)

    def test_a_defect_that_does_not_exist(self):
        done = self.conform("defect", "no-such-thing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no defect 'no-such-thing'", done.stderr)

    def test_each_defect_is_told_in_a_line(self):
        done = self.conform("defect", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        *rows, last = done.stdout.splitlines()
        self.assertEqual(last, f"{len(rows)} defects")
        for row in rows:
            self.assertRegex(row, r"^(OJ|DX|IV)-[A-Z]+-\d\d  [a-z0-9-]+ +\S")
        names = [row.split()[1] for row in rows]
        self.assertEqual(len(names), len(set(names)), "each has a name of its own")


class CoverageOfAnotherBuild(SelftestCase):
    def test_says_that_there_is_none(self):
        copy = self.copied_program()
        for stands, sentence in ((None, "this build has had no selftest"), ("{}", "was of another build")):
            with self.subTest(sentence):
                if stands is not None:
                    (copy.parent / "ojin-conform.selftest.ojin.json").write_text(stands)
                done = self.run_program(copy, "coverage", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(sentence, done.stderr)
                rows = json.loads(done.stdout)["requirements"]
                self.assertTrue(all(row["defects"] == [] for row in rows))


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
