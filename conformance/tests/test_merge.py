#!/usr/bin/python3
"""ojin-conform merge: the shards of a run, put together, say what the whole run says."""

import concurrent.futures
import json
import shutil
import unittest
import xml.etree.ElementTree

from runner_case import PYTHON, PYTHON_CLIENT, SOURCE, TRIES, RunnerCase, wait_for_calm

# Each in another shard of two. The client writes a wrong endInteraction in the first alone and a wrong cancelInteraction
# in the second alone: what is wrong in both messages is told once, of the first.
ENDS, CANCELS = "ojin/end/final-frame", "ojin/cancel/while-idle"
RIGHT = '{"timestamp": now_ms()}'
WRONG = """{"timestamp": now_ms() if kind != {"%s": "endInteraction", "%s": "cancelInteraction"}[
                os.environ["CONFORM_CASE"]] else str(now_ms())}""" % (ENDS, CANCELS)
# What two runs never have in common.
OF_THE_RUN = ("date", "load", "duration_ms")
OF_A_CASE = ("duration_ms", "lateness_us", "session_us", "repro", "folder")


def comparable(report):
    report = {name: value for name, value in report.items() if name not in OF_THE_RUN}
    report["cases"] = [{name: case[name] for name in case if name not in OF_A_CASE} for case in report["cases"]]
    report["causes"] = [{name: value for name, value in cause.items() if name not in ("rerun", "folder")} for cause in report["causes"]]
    return report


def verdicts(report):
    """What stands in a report, without the words that tell when and with which bytes."""
    cases = {case["name"]: (case["verdict"], case["outcome"], [(check["name"], check["requirement"], check["verdict"], check["scope"],
                            check.get("cause")) for check in case["checks"]]) for case in report["cases"]}
    requirements = [{name: row[name] for name in ("id", "verdict", "judged", "of", "fails", "sessions", "broken_sessions", "cases")}
                    for row in report["requirements"]]
    causes = [(cause["verdict"], cause["requirements"], cause["broken_sessions"], cause["failed_cases"], cause["not_judged"])
              for cause in report["causes"]]
    return cases, requirements, causes, report["uncovered"], {**report["summary"], "headline": "", "reason": ""}


class Merge(RunnerCase):
    def read(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def write_report(self, name, report):
        return self.write(name, json.dumps(report))

    def shards(self, count, *options, command=()):
        """Their reports, 1.json and so on, and whole.json, run side by side."""
        runs = [("whole.json",)] + [(f"{i}.json", "--shard", f"{i}/{count}") for i in range(1, count + 1)]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            done = list(pool.map(lambda run: self.conform("run", *options, "--json", *run, "--out", f"out-{run[0]}", *command), runs))
        for one in done:
            self.assertIn(one.returncode, (0, 1), one.stdout + one.stderr)
        return [f"{i}.json" for i in range(1, count + 1)], done[0]

    def merge(self, *words):
        return self.conform("merge", *words)

    def test_shards_in_memory_are_the_whole_run(self):
        parts, whole = self.shards(3, "--memory", "--run", "ojin/[c-e]*", "--inferred", "--strict")
        self.assertLess(max(len(self.read(part)["cases"]) for part in parts), len(self.read("whole.json")["cases"]))
        merged = self.merge(*reversed(parts), "--json", "merged.json", "--junit", "merged.xml", "--html", "merged.html")
        self.assertEqual(merged.returncode, whole.returncode, merged.stderr)
        self.assertEqual(comparable(self.read("merged.json")), comparable(self.read("whole.json")))
        self.assertEqual(merged.stdout.splitlines()[-1], whole.stdout.splitlines()[-1])
        junit = xml.etree.ElementTree.parse(self.folder / "merged.xml").getroot()
        self.assertGreaterEqual(len(list(junit.iter("testcase"))), len(self.read("whole.json")["cases"]))
        page = (self.folder / "merged.html").read_text(encoding="utf-8")
        for case in self.read("whole.json")["cases"]:
            self.assertIn(case["name"], page)
        self.assertIn('"rows":[', page)  # the pictures came along

    def test_what_one_shard_found_is_held_against_the_other(self):
        client = self.folder / "client"
        shutil.copytree(PYTHON_CLIENT.parent, client, ignore=shutil.ignore_patterns("__pycache__"))
        session = (client / "session.py").read_text(encoding="utf-8")
        self.assertEqual(session.count(RIGHT), 1)
        (client / "session.py").write_text("import os\n" + session.replace(RIGHT, WRONG), encoding="utf-8")
        for _ in range(TRIES):
            parts, whole = self.shards(2, "--tier", "observe", "--run", "ojin/*/final-frame", "--run", "ojin/*/while-idle", "--skip",
                                       "ojin/end/while-idle", command=("--", PYTHON, client / PYTHON_CLIENT.name))
            if "INCONCLUSIVE" not in whole.stdout:
                break
            wait_for_calm()
        alone = [{row["id"]: row["verdict"] for row in self.read(part)["requirements"]} for part in parts]
        self.assertEqual((alone[0]["OJ-END-01"], alone[1]["OJ-CAN-01"]), ("FAIL", "FAIL"))
        merged = self.merge(*parts, "--json", "merged.json")
        self.assertEqual(merged.returncode, 1, merged.stderr)
        together = {row["id"]: row["verdict"] for row in self.read("merged.json")["requirements"]}
        self.assertEqual((together["OJ-END-01"], together["OJ-CAN-01"]), ("FAIL", "NOTREACHED"))
        self.assertEqual(verdicts(self.read("merged.json")), verdicts(self.read("whole.json")))

    def test_a_report_of_the_whole_follows_its_schema_and_one_of_a_shard_too(self):
        import jsonschema

        parts, _ = self.shards(2, "--memory", "--run", "ojin/connect/*")
        self.merge(*parts, "--json", "merged.json")
        schema = json.loads((SOURCE / "conformance/report.schema.json").read_text(encoding="utf-8"))
        for name in [*parts, "merged.json"]:
            jsonschema.validate(self.read(name), schema)
        self.assertNotIn("part", self.read("merged.json"))

    def test_what_does_not_belong_together_is_refused(self):
        parts, _ = self.shards(2, "--memory", "--run", "ojin/connect/*")
        first, second = (self.read(part) for part in parts)
        case = first["part"]["cases"][0]
        damaged = {**case, "verdict": 99}
        unclaimed = {**case, "checks": [{"name": "wire"}]}
        of_part = {**second, "part": {**second["part"], "cases": [*second["part"]["cases"], case]}}
        for report, said in (
            ({**second, "version": "9.9.9"}, "x.json: merge reads reports of its own version alone, and this one is of 9.9.9"),
            ({**second, "command": "another"}, "x.json: not of the same run: the client's command is \"another\", and in 1.json "),
            ({**second, "suite": "1.0"}, "x.json: not of the same run: --suite is \"1.0\", and in 1.json \"\""),
            ({**second, "profiles": ["video"]}, "x.json: not of the same run: the profiles is [\"video\"]"),
            ({**second, "part": {**second["part"], "family": "duplex"}}, "x.json: not of the same run: the family is \"duplex\""),
            ({**second, "part": {**second["part"], "of": 3}}, "x.json: not of the same run: the number of shards is 3, and in 1.json 2"),
            ({**second, "part": {**second["part"], "shard": 1}}, "x.json: this is the same shard as 1.json"),
            ({**second, "part": {**second["part"], "shard": 3}}, 'x.json: its member "part" is damaged'),
            (of_part, f"x.json: a case that is in 1.json, too: {case['name']}"),
            ({**second, "part": {**second["part"], "cases": [{**case, "name": "ojin/no/case"}]}}, "x.json: no such case here: ojin/no/case"),
            ({name: second[name] for name in second if name != "part"}, "x.json: this is the report of a whole run: expected one of"),
            ([], "x.json: this is no JSON report of ojin-conform run"),
        ):
            with self.subTest(said):
                self.write_report("x.json", report)
                done = self.merge("1.json", "x.json")
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertRegex(done.stderr, r"^ojin-conform merge: ")
                self.assertIn(said, done.stderr)
        for wrong, name in ((damaged, "verdict"), (unclaimed, "requirement")):
            rest = first["part"]["cases"][1:]
            self.write_report("x.json", {**first, "part": {**first["part"], "cases": [wrong, *rest]}})
            done = self.merge("x.json", "2.json")
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"x.json: damaged in the case {case['name']}: its member {name}", done.stderr)
        for words, said in (
            (["1.json"], "shard 2 of 2 is missing: expected the reports of all shards"),
            (["1.json", "1.json"], "1.json: this file is named twice\n"),
            (["none.json"], "cannot read none.json: No such file or directory"),
            ([], "no report: expected the JSON reports of all shards of a run"),
        ):
            done = self.merge(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
