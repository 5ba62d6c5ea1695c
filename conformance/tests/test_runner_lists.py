"""The lists a run is held against, and the options that say what is run and how often: baseline, suite, set, shard, repeat, retries, min-judged."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from runner_case import BIN, PYTHON, SOURCE, RunnerCase

sys.path.insert(0, str(SOURCE / "ci/tests"))
import printed  # noqa: E402

# Two cases about refused upgrades: over at once. The client connects and passes; with FAILS set in its environment,
# or in a file of that name, it never connects.
CASE = """case     ojin/lists/{name}
title    "Refused"
expect   "The client connects"
clause   OJ-CON-02 MUST
limit    5s
{more}
server {{
  refuse status=503
}}
check    comes  MUST  some received:upgrade
"""

CLIENT = """
import os, pathlib, socket, sys
from urllib.parse import urlsplit
case = os.environ["CONFORM_CASE"].rpartition("/")[2]
if case == "probe":
    sys.exit(0)
folder = pathlib.Path(__file__).parent
with open(folder / "starts", "a") as starts:
    starts.write(case + " ")
tries = (folder / "starts").read_text().split().count(case)
if case in (folder / "fails").read_text().split() or (case == "flaky" and tries == 1):
    sys.exit(0)
url = urlsplit(os.environ["OJIN_URL"])
with socket.create_connection((url.hostname, url.port)) as s:
    s.sendall((f"GET {url.path}?config_id={os.environ['OJIN_CONFIG_ID']} HTTP/1.1\\r\\nHost: {url.netloc}\\r\\n"
               "Upgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n"
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n"
               f"Authorization: {os.environ['OJIN_API_KEY']}\\r\\n\\r\\n").encode())
    while s.recv(4096):
        pass
sys.exit(1)
"""


class Lists(RunnerCase):
    def setUp(self):
        super().setUp()
        (self.folder / "cases").mkdir()
        for name in ("one", "two", "three"):
            self.add_case(name)
        self.client = self.write("client.py", CLIENT)
        self.fail_in()

    def add_case(self, name, more=""):
        (self.folder / "cases" / f"{name}.session").write_text(CASE.format(name=name, more=more))

    def fail_in(self, *names):
        (self.folder / "fails").write_text(" ".join(names))

    def starts(self):
        path = self.folder / "starts"
        return sorted(path.read_text().split()) if path.exists() else []

    def run_lists(self, *options):
        (self.folder / "starts").unlink(missing_ok=True)
        done, report = self.run_suite(PYTHON, self.client, options=["--tier", "wire", "--cases", self.folder / "cases", *options])
        words = {case["name"].rpartition("/")[2]: case["verdict"] for case in report["cases"]} if report else {}
        return done, words, report

    # ---- baseline ----

    def test_known_failures_fail_nobody(self):
        self.fail_in("one")
        done, words, _ = self.run_lists()
        self.assertEqual((done.returncode, words["one"]), (1, "NOTREACHED"), done.stdout)
        baseline = self.write("baseline.txt", "# what we know\n\nojin/lists/one:OJ-CON-02 # cannot yet\n")
        done, words, report = self.run_lists("--baseline", baseline)
        self.assertEqual((done.returncode, words), (0, {"one": "XFAIL", "two": "PASS", "three": "PASS"}), done.stdout)
        self.assertIn(f"known: cannot yet ({baseline}:3)", report["cases"][0]["note"])
        self.assertEqual(report["summary"]["tolerated"], 1)
        self.assertIn("1 known, new or flaky", done.stdout)

    def test_what_passes_after_all_fails_the_run(self):
        for line in ("ojin/lists/two # broken", "ojin/lists/two:comes # broken", "ojin/lists/two:OJ-CON-02 # broken"):
            baseline = self.write("baseline.txt", line + "\n")
            done, words, report = self.run_lists("--baseline", baseline)
            self.assertEqual((done.returncode, words["two"]), (1, "XPASS"), done.stdout)
            self.assertIn("XPASS  it passes, but is listed as failing: broken ", done.stdout)
            causes = [cause for cause in report["causes"] if cause["verdict"] == "XPASS"]
            self.assertEqual([cause["sentence"] for cause in causes], [f"it passes, but is listed as failing: broken ({baseline}:1)"])
            covered = {check["requirement"] for case in report["cases"] for check in case["checks"] if check["verdict"] == "XPASS"}
            self.assertEqual(set(causes[0]["requirements"]), covered)
            self.assertIn("it passes, but is listed as failing: broken", next(case["note"] for case in report["cases"] if case["verdict"] == "XPASS"))

    def test_a_pattern_is_kept_while_anything_it_covers_fails(self):
        self.fail_in("three")
        baseline = self.write("baseline.txt", "ojin/lists/t* # those with a t\n")
        done, words, _ = self.run_lists("--baseline", baseline)
        self.assertEqual((done.returncode, words), (0, {"one": "PASS", "two": "PASS", "three": "XFAIL"}), done.stdout)

    def test_what_is_tolerated_hides_nothing_that_follows_from_it(self):
        for name, clause in (("cause", "OJ-BUF-01"), ("effect", "OJ-OUT-13")):
            text = CASE.format(name=name, more="").replace("OJ-CON-02", clause)
            (self.folder / "cases" / f"{name}.session").write_text(text.replace("some received:upgrade", "count received:upgrade min=2"))
        known = self.write("known.txt", "ojin/lists/cause # cannot yet\n")
        frozen = self.write("frozen.txt", "".join(f"ojin/lists/{name}\n" for name in ("one", "two", "three", "effect")))
        rows = (([], "FAIL", "NOTREACHED"), (["--baseline", known], "XFAIL", "FAIL"), (["--suite", frozen], "NEW", "FAIL"))
        for options, cause, effect in rows:
            done, words, _ = self.run_lists(*options)
            self.assertEqual((done.returncode, words["cause"], words["effect"]), (1, cause, effect), done.stdout)
            follows = "1 case found what follows from another fault: see the causes" in done.stdout
            self.assertEqual(follows, not options, done.stdout)

    def test_mistakes_name_line_and_column(self):
        for text, expected in (
            ("ojin/lists/one\n", "1:15: expected '# ' and the reason, found the end of the line"),
            ("\nojin/lists/one # \n", "2:18: expected the reason after '#', found the end of the line"),
            ("ojin/lists/one: # why\n", "1:16: expected a check or a requirement after the colon, found '# why'"),
            ("ojin/lists/one why\n", "1:16: expected '# ' and the reason, found 'why'"),
            ("  ojin/no/such # why\n", "1:3: expected a pattern that fits a case of the suite, found 'ojin/no/such'"),
            ("ojin/lists/one:come # why\n", "1:16: expected a check or a requirement of those cases, found 'come'"),
            (" ojin/lists/*:OJ-CON-99 # why\n", "1:15: expected a check or a requirement of those cases, found 'OJ-CON-99'"),
            ("ojin/lists/one:DX-CON-01 # why\n", "1:16: expected a check or a requirement of those cases, found 'DX-CON-01'"),
            ("ojin/lists/one:OJ-SRV-01 # why\n", "1:16: expected a check or a requirement of those cases, found 'OJ-SRV-01'"),
        ):
            baseline = self.write("baseline.txt", text)
            done, _, report = self.run_lists("--baseline", baseline)
            self.assertEqual(done.stderr.splitlines(), [f"{baseline}:{expected}"])
            self.assertEqual((done.returncode, report, self.starts()), (2, None, []))

    def test_a_line_may_name_what_the_judge_says_by_itself(self):
        self.fail_in("one")
        for check in ("connect", "wire", "timeout", "c*", "OJ-OUT-*"):
            baseline = self.write("baseline.txt", f"ojin/lists/one:{check} # may be\n")
            done, words, _ = self.run_lists("--baseline", baseline)
            self.assertEqual(done.stderr, "", check)

    def test_a_crash_fails_the_run_whatever_the_baseline_is_about(self):
        self.add_case("bare", "set smoke")
        bare = self.folder / "cases" / "bare.session"
        text = bare.read_text().replace("OJ-CON-02 MUST", "OJ-OUT-11 SHOULD")
        bare.write_text("".join(line + "\n" for line in text.splitlines() if not line.startswith("check")))
        self.write("client.py", CLIENT.replace("sys.exit(1)", "os.kill(os.getpid(), 11)"))
        baseline = self.write("baseline.txt", "ojin/lists/one # of another\n")
        for options, word in (([], "FAIL"), (["--baseline", baseline], "FAIL")):
            done, words, report = self.run_lists("--set", "smoke", *options)
            self.assertEqual((done.returncode, words), (1, {"bare": word}), done.stdout)
            self.assertRegex(done.stdout, "1  CRASH  killed by SIGSEGV\n    first case  ojin/lists/bare: ")
        known = self.write("known.txt", "ojin/lists/bare:crash # known\n")
        done, words, _ = self.run_lists("--set", "smoke", "--baseline", known)
        self.assertEqual((done.returncode, words), (0, {"bare": "XFAIL"}), done.stdout)

    # ---- list ----

    def test_list_takes_the_words_by_which_run_selects(self):
        self.add_case("quick", "set smoke")
        self.add_case("long", "set slow")
        self.add_case("early", "profiles earlier")
        everything = {"one", "two", "three", "quick", "long", "early"}
        rows = (
            ([], everything),
            (["--set", "smoke"], {"quick"}),
            (["--set", "default"], everything - {"long"}),
            (["--run", "ojin/lists/t*", "--run", "ojin/lists/one"], {"one", "two", "three"}),
            (["--skip", "ojin/lists/t*"], {"one", "quick", "long", "early"}),
            (["--profile", "oris-1.0"], everything - {"early"}),
            (["--profile", "all"], everything),
            (["--family", "duplex"], set()),
            (["--tier", "wire"], everything),
        )
        for options, expected in rows:
            done = self.conform("list", *options, self.folder / "cases")
            lines = done.stdout.splitlines()
            self.assertEqual({line.split()[0].rpartition("/")[2] for line in lines[:-1]}, expected, options)
            self.assertTrue(lines[-1].startswith(f"{len(expected)} cases, "), lines[-1])
        parts = [self.conform("list", "--shard", f"{i}/3", self.folder / "cases").stdout.splitlines()[:-1] for i in (1, 2, 3)]
        self.assertEqual(sum(len(part) for part in parts), len(everything))
        for options, said in (
            (["--set", "quick"], "ojin-conform list: --set 'quick': expected smoke, default or slow"),
            (["--profile", "oris"], "ojin-conform list: --profile 'oris': expected oris-1.0, oris-1.0-earlier, flashhead-lite-1.0 or all; did you mean \"oris-1.0\"?"),
            (["--jobs", "2"], "ojin-conform list: no option '--jobs'"),
        ):
            done = self.conform("list", *options)
            self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (2, said))

    def test_update_writes_what_fails_and_drops_what_passes(self):
        self.fail_in("one", "three")
        text = "# of ours\nojin/lists/two # passes now\nojin/lists/three # stays\n"
        baseline = pathlib.Path(self.write("baseline.txt", text))
        done, words, _ = self.run_lists("--baseline", baseline, "--update-baseline")
        self.assertEqual((done.returncode, words), (0, {"one": "XFAIL", "two": "PASS", "three": "XFAIL"}), done.stdout)
        lines = baseline.read_text().splitlines()
        self.assertEqual(lines[:2], ["# of ours", "ojin/lists/three # stays"])
        self.assertRegex(lines[2], r"^ojin/lists/one:comes # NOTREACHED: NOCONNECT")
        again = baseline.read_text()
        done, _, _ = self.run_lists("--baseline", baseline, "--update-baseline")
        self.assertEqual((done.returncode, baseline.read_text()), (0, again))
        baseline.unlink()
        done, _, _ = self.run_lists("--baseline", baseline, "--update-baseline")
        self.assertEqual((done.returncode, len(baseline.read_text().splitlines())), (0, 2))

    def test_update_is_refused_on_a_partial_run(self):
        for options, why in (
            (["--run", "ojin/*"], "--run leaves cases out"),
            (["--skip", "ojin/x"], "--skip leaves cases out"),
            (["--shard", "1/2"], "--shard leaves cases out"),
            (["--set", "smoke"], "--set smoke leaves cases out"),
        ):
            done, _, _ = self.run_lists("--baseline", self.folder / "b", "--update-baseline", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(why, done.stderr)
        done, _, _ = self.run_lists("--update-baseline")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--update-baseline needs --baseline FILE", done.stderr)

    # ---- suites, sets, shards ----

    def test_what_a_new_case_fails_is_new_and_fails_nobody(self):
        suite = self.write("suite", "ojin/lists/two\nojin/lists/three\n")
        self.fail_in("one")
        done, words, report = self.run_lists("--suite", suite)
        self.assertEqual((done.returncode, words), (0, {"one": "NEW", "two": "PASS", "three": "PASS"}), done.stdout)
        self.assertEqual([case["new"] for case in report["cases"]], [True, False, False])
        self.fail_in("two")
        done, words, _ = self.run_lists("--suite", suite)
        self.assertEqual((done.returncode, words), (1, {"one": "PASS", "two": "NOTREACHED", "three": "PASS"}), done.stdout)

    def test_an_unknown_suite_names_those_there_are(self):
        done, _, _ = self.run_lists("--suite", "0.1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--suite '0.1': cannot read", done.stderr)
        self.assertIn("expected 1.0", done.stderr)

    def freeze(self, version):
        """The list of that version, of the cases as they are, in a suite of its own."""
        suites = self.folder / "suites"
        suites.mkdir(exist_ok=True)
        said = self.conform("list", "--freeze", self.folder / "cases")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        (suites / version).write_text(said.stdout)
        return suites / version

    def keep(self, version, name):
        """What a case is now, for that version."""
        folder = self.folder / "suites/kept" / version
        folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "cases" / f"{name}.session"
        (folder / path.name).write_text(path.read_text())
        return path

    def test_a_frozen_suite_runs_what_a_case_was(self):
        suite = self.freeze("0.9")
        self.assertRegex(suite.read_text(), r"(?m)^ojin/lists/one [0-9a-f]{16}$")
        one = self.folder / "cases/one.session"
        before = one.read_text()
        one.write_text(before.replace("some received:upgrade", "count received:upgrade min=2"))
        done, _, _ = self.run_lists("--suite", suite)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"the case ojin/lists/one is not as the suite {suite} has it", done.stderr)
        self.assertIn(f"{self.folder}/suites/kept/0.9 has no such text of it", done.stderr)
        done, words, _ = self.run_lists()
        self.assertEqual((done.returncode, words["one"]), (1, "FAIL"), done.stdout)
        changed = one.read_text()
        one.write_text(before)
        self.keep("0.9", "one")
        one.write_text(changed)
        self.keep("0.9", "two").unlink()
        done, words, report = self.run_lists("--suite", suite)
        self.assertEqual((done.returncode, words), (0, {"one": "PASS", "two": "PASS", "three": "PASS"}), done.stdout)
        self.assertEqual([case["new"] for case in report["cases"]], [False, False, False])

    def with_own_data(self):
        """The options of an environment whose sounds and pictures may be changed."""
        data = self.folder / "data"
        for name in ("speech", "video"):
            shutil.copytree(SOURCE / "fixtures" / name, data / name)
        return data, {**os.environ, "OJIN_CONFORM_DATA": str(data)}

    def test_a_frozen_suite_holds_the_sounds_and_pictures(self):
        data, environment = self.with_own_data()
        run = [BIN / "ojin-conform", "run", "--memory", "--cases", self.folder / "cases", "--suite", self.freeze("0.9")]

        def runs():
            return subprocess.run(run, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

        self.assertNotEqual(runs().returncode, 2)
        for folder, name in (("speech", "hello-1s.wav"), ("video", "1.jpg")):
            file = data / folder / name
            before = file.read_bytes()
            file.write_bytes(before + b"\0")
            done = runs()
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, rf"{file} is not what it was in the suite {run[-1]}: expected the digest [0-9a-f]{{16}}, found [0-9a-f]{{16}}\n$")
            file.unlink()
            self.assertRegex(runs().stderr, rf"{file} is not what it was .*, found No such file or directory\n$")
            file.write_bytes(before)
        self.assertNotEqual(runs().returncode, 2)

    def test_a_case_of_the_suite_that_is_nowhere_is_told(self):
        suite = self.folder / "suite"
        suite.write_text((SOURCE / "conformance/suites/1.0").read_text() + "ojin/lists/gone 0000000000000001\n")
        shutil.copytree(SOURCE / "conformance/suites/kept/1.0", self.folder / "kept/suite")
        done = self.conform("run", "--memory", "--run", "ojin/connect/handshake", "--suite", suite)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(f"the case ojin/lists/gone is gone, and the suite {suite} has it (digest 0000000000000001); ", done.stderr)
        self.assertIn("has no such text of it", done.stderr)

    def test_few_requirements_without_a_case_are_named(self):
        path = self.folder / "report.json"
        for more, named in (((), True), (("--set", "smoke"), False)):
            with self.subTest(more=more):
                done = self.conform("run", "--memory", "--family", "interview", *more, "--json", path)
                bare = json.loads(path.read_text())["uncovered"]
                self.assertEqual(0 < len(bare) <= 6, named, bare)
                words = f"{len(bare)} more requirement{'s' if len(bare) > 1 else ''} of this profile ha"
                line = next(line for line in done.stdout.splitlines() if line.startswith(words))
                self.assertTrue(line.endswith(f"among those chosen: {', '.join(bare)}" if named else "among those chosen"), line)

    def test_an_empty_shard_is_a_part_like_any_other(self):
        run = ["run", "--memory", "--cases", self.folder / "cases", "--run", "ojin/lists/one"]
        reports = [self.folder / f"{n}.json" for n in (1, 2, 3)]
        done = [self.conform(*run, "--shard", f"{n}/3", "--json", path) for n, path in enumerate(reports, 1)]
        empty = [said for said in done if "all cases are in other shards" in said.stderr]
        self.assertEqual(([said.returncode for said in done], len(empty)), ([0, 0, 0], 2), [said.stderr for said in done])
        for said in empty:
            self.assertTrue(said.stdout.endswith("\n0 passed, 0 failed\n"), said.stdout)
        self.assertEqual(sorted(len(json.loads(path.read_text())["cases"]) for path in reports), [0, 0, 1])
        said = self.conform("merge", "--cases", self.folder / "cases", *reports)
        self.assertEqual((said.returncode, said.stdout.rsplit("\n", 2)[1]), (0, "1 passed, 0 failed"), said.stderr)
        for n in (1, 2, 3):
            done, _, report = self.run_lists("--run", "*/one", "--shard", f"{n}/3")
            self.assertEqual((done.returncode, len(report["cases"]) < 2), (0, True), done.stderr)
        done = self.conform(*run, "--skip", "ojin/lists/*", "--shard", "1/3")
        self.assertEqual((done.returncode, "nothing ran" in done.stderr), (3, True), done.stderr)

    def test_the_shards_of_a_frozen_suite_are_merged(self):
        suite = self.freeze("0.9")
        self.keep("0.9", "two").unlink()
        reports = [self.folder / f"{n}.json" for n in (1, 2, 3)]
        for n, path in enumerate(reports, 1):
            self.run_suite(PYTHON, self.client, options=["--tier", "wire", "--cases", self.folder / "cases", "--suite", suite, "--shard", f"{n}/3", "--json", path])
        said = self.conform("merge", "--cases", self.folder / "cases", *reports)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.assertTrue(said.stdout.endswith("3 passed, 0 failed\n"), said.stdout)

    def test_a_requirement_newer_than_the_suite_fails_nobody(self):
        suite = self.freeze("0.9")
        now = suite.read_text()
        self.write("client.py", CLIENT.replace("Authorization: {os.environ", "Authorization: Bearer {os.environ"))
        self.assertRegex(now, r"(?m)^OJ-CON-02 MUST doc all$")
        done, words, _ = self.run_lists("--suite", suite)
        self.assertEqual((done.returncode, words["one"]), (1, "FAIL"), done.stdout)
        for older in (now.replace("OJ-CON-02 MUST doc all\n", ""), now.replace("OJ-CON-02 MUST", "OJ-CON-02 SHOULD")):
            suite.write_text(older)
            done, words, report = self.run_lists("--suite", suite)
            self.assertEqual((done.returncode, words), (0, {"one": "NEW", "two": "NEW", "three": "NEW"}), done.stdout)
            self.assertEqual([case["new"] for case in report["cases"]], [False, False, False])
            [row] = [row for row in report["requirements"] if row["id"] == "OJ-CON-02"]
            self.assertEqual(row["verdict"], "NEW")

    def test_the_way_of_a_suite_to_its_release_and_after(self):
        """As conformance/suites/README.md tells it, in a copy of the folders."""
        freeze, *keep = printed.of("test_runner_lists")
        self.assertEqual((freeze.split()[1:3], [command.split()[0] for command in keep]), (["list", "--freeze"], ["mkdir", "cp"]))
        for name in ("cases", "suites"):
            shutil.copytree(SOURCE / "conformance" / name, self.folder / "conformance" / name)
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/bin").symlink_to(BIN)
        run = ["run", "--cases", "conformance/cases", "--suite", "conformance/suites/9.9"]

        def types(command):
            subprocess.run(command.replace("VERSION", "9.9"), shell=True, cwd=self.folder, timeout=60, check=True)

        types(freeze)
        suite = self.folder / "conformance/suites/9.9"
        frozen = suite.read_text()
        done = self.conform(*run, "--memory", "--run", "ojin/cancel/late-speech")
        self.assertIn("is not released", done.stderr)
        # Released: the first line goes, and with it a requirement here, as if that came later.
        suite.write_text(frozen.removeprefix("# not released\n").replace("OJ-CAN-01 MUST doc all\n", ""))
        self.assertNotIn("OJ-CAN-01", suite.read_text())
        for command in keep:
            types(command)
        case = self.folder / "conformance/cases/ojin/cancel/late-speech.session"
        case.write_text(case.read_text() + "check harder MUST count received:cancelInteraction min=2\n")
        added = case.with_name("added.session")
        added.write_text(case.read_text().replace("ojin/cancel/late-speech", "ojin/cancel/added"))
        both = ["--memory", "--run", "ojin/cancel/late-speech", "--run", "ojin/cancel/added"]
        done = self.conform("run", "--cases", "conformance/cases", *both)
        self.assertTrue(done.stdout.endswith("0 passed, 2 failed\n"), done.stdout)
        done = self.conform(*run, *both, "--json", "report.json")
        self.assertEqual((done.returncode, "not released" in done.stderr), (0, False), done.stdout + done.stderr)
        cases = json.loads((self.folder / "report.json").read_text())["cases"]
        self.assertEqual({case["name"]: case["verdict"] for case in cases}, {"ojin/cancel/late-speech": "PASS", "ojin/cancel/added": "NEW"})
        done = self.conform(*run, "--run", "ojin/cancel/late-speech", "--json", "report.json", "--", BIN / "ojin-conform", "defect", "cancel-in-seconds")
        [row] = [row for row in json.loads((self.folder / "report.json").read_text())["requirements"] if row["id"] == "OJ-CAN-01"]
        self.assertEqual((done.returncode, row["verdict"]), (0, "NEW"), done.stdout)
        shutil.rmtree(self.folder / "conformance/suites/kept")
        self.assertIn("has no such text of it", self.conform(*run, *both).stderr)

    def test_a_suite_that_may_still_change_is_said_to(self):
        told = f"ojin-conform: suite {self.folder}/suites/0.9 is not released: its cases and requirements may still change\n"
        suite = self.freeze("0.9")
        done, words, _ = self.run_lists("--suite", suite)
        self.assertEqual((done.returncode, words, done.stderr.count(told)), (0, {"one": "PASS", "two": "PASS", "three": "PASS"}, 1), done.stderr)
        suite.write_text(suite.read_text().removeprefix("# not released\n"))
        done, words, _ = self.run_lists("--suite", suite)
        self.assertEqual((done.returncode, words, "not released" in done.stderr), (0, {"one": "PASS", "two": "PASS", "three": "PASS"}, False), done.stderr)

    def test_the_line_that_repeats_a_case_names_its_suite(self):
        self.fail_in("one")
        _, _, report = self.run_lists("--suite", self.freeze("0.9"), "--run", "*/one")
        self.assertIn(f" --suite {self.folder}/suites/0.9 ", report["cases"][0]["repro"])

    def test_sets(self):
        self.add_case("quick", "set smoke")
        self.add_case("long", "set slow")
        for options, expected in (
            (["--set", "smoke"], {"quick"}),
            ([], {"quick", "one", "two", "three"}),
            (["--set", "slow"], {"quick", "one", "two", "three", "long"}),
            (["--run", "ojin/lists/long"], {"long"}),
        ):
            _, words, _ = self.run_lists(*options)
            self.assertEqual(set(words), expected, options)

    def test_shards_hold_each_case_once_and_stay(self):
        parts = [set(self.run_lists("--shard", f"{n}/3")[1]) for n in (1, 2, 3)]
        self.assertEqual(sorted(name for part in parts for name in part), ["one", "three", "two"])
        self.add_case("another")
        again = [set(self.run_lists("--shard", f"{n}/3")[1]) - {"another"} for n in (1, 2, 3)]
        self.assertEqual(again, parts)

    # ---- how often, and how much ----

    def test_a_later_pass_is_flaky_and_never_a_pass(self):
        self.add_case("flaky")
        done, words, report = self.run_lists("--run", "ojin/lists/flaky")
        self.assertEqual((done.returncode, words), (1, {"flaky": "NOTREACHED"}))
        done, words, report = self.run_lists("--run", "*/flaky", "--run", "*/one", "--retries", "2")
        self.assertEqual((done.returncode, words), (0, {"flaky": "FLAKY", "one": "PASS"}), done.stdout)
        self.assertRegex(report["cases"][0]["note"], "passed (in try 2|when it was run again alone, since the machine was late)$")
        self.assertEqual(self.starts(), ["flaky", "flaky", "one"])
        self.assertTrue(pathlib.Path(report["cases"][0]["folder"]).is_dir(), "the failure's own folder stays")
        done, words, _ = self.run_lists("--run", "*/flaky", "--retries", "2", "--strict")
        self.assertEqual((done.returncode, words), (1, {"flaky": "NOTREACHED"}))

    def test_what_fails_every_try_fails(self):
        self.fail_in("one")
        done, words, _ = self.run_lists("--run", "*/one", "--retries", "2")
        self.assertEqual((done.returncode, words, len(self.starts())), (1, {"one": "NOTREACHED"}, 3))

    def test_of_repeated_runs_the_worst_stands(self):
        self.add_case("flaky")
        done, words, report = self.run_lists("--run", "*/flaky", "--repeat", "3")
        self.assertEqual((done.returncode, words, len(self.starts())), (1, {"flaky": "NOTREACHED"}, 3))
        self.assertIn("failed in 1 of 3 runs", report["cases"][0]["note"])

    def test_too_few_requirements_reached(self):
        _, _, report = self.run_lists("--run", "*/one")
        reached = report["summary"]["judged"]
        self.assertGreater(reached, 0)
        done, _, _ = self.run_lists("--run", "*/one", "--min-judged", reached)
        self.assertEqual(done.returncode, 0, done.stdout)
        done, _, _ = self.run_lists("--run", "*/one", "--min-judged", reached + 1)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{reached} requirements reached of at least {reached + 1} asked for", done.stdout)

    def test_wrong_values_say_what_was_expected(self):
        for words, expected in (
            (["--shard", "5/4"], "--shard '5/4': expected I/N with I from 1 to N and N at most 1000, such as 1/4"),
            (["--set", "all"], "--set 'all': expected smoke, default or slow"),
            (["--repeat", "0"], "--repeat '0': expected 1 or more"),
            (["--retries", "x"], "--retries 'x': expected a whole number up to 1000"),
            (["--timeout", "10"], "--timeout '10': expected a time up to an hour, such as 30s or 500ms"),
            (["--timeout", "0s"], "--timeout '0s': expected a time up to an hour, such as 30s or 500ms"),
            (["--stop", "TERM"], "--stop 'TERM': expected SIGNAL@idle:TIME with TERM, INT, HUP, QUIT, KILL, USR1 or USR2, such as TERM@idle:2s"),
        ):
            done = self.conform("run", *words, "--", "true")
            self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (2, "ojin-conform run: " + expected))


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
