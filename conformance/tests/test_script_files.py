"""The scripts of the suite are right and laid out, and vary makes cases of their own of one file."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CONFORM = pathlib.Path(os.environ["BIN_DIR"]) / "ojin-conform"
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "ci/tests"))
import printed  # noqa: E402
VARIED = """case     ojin/test/varied
title    "Stops after $count frames"
clause   OJ-CON-01 MUST
vary     count from=1 to=3
vary     how in close drop

server {
  accept
  serve  until=speech:$count
  $how
}
"""
CUT = """case     ojin/test/NAME
title    "A message ends after $at bytes, with $order in it"
expect   "Only what is whole makes a frame"
clause   OJ-OUT-08 MUST
vary     at in 0 1 36 37 41
vary     order in audio,image none

plan {
  speak  "hello-1s.wav"
  end
}
server {
  accept
  serve  until=speech:5
  send   speech interaction=cccccccc-cccc-4ccc-8ccc-cccccccccccc payloads=$order truncate=$at as cut
  serve  until=close
}
check    no-frame  MUST  given=sent:speech[step=cut]  none seen:frame interaction=cccccccc-cccc-4ccc-8ccc-cccccccccccc
"""


def conform(*words):
    return subprocess.run([CONFORM, *words], capture_output=True, text=True)


def suite_faults(version, frozen, now, kept, changes):
    """What is wrong with the list `frozen`, and what to do; "" when nothing is. `now` and `kept` are what `list --freeze`
    says of today's cases and of those that are kept for it, `changes` is CHANGELOG.md."""
    path = f"conformance/suites/{version}"
    if f"Suite {version} is released" in changes and frozen.startswith("# not released\n"):
        return f"Suite {version} is released, but {path} begins with '# not released': remove that line"
    bare = [line.split()[0] for line in frozen.splitlines() if len(line.split()) < 2]
    if f"Suite {version} is released" not in changes:
        command = f"build/release/bin/ojin-conform list --freeze > {path}"
        return "" if frozen == now else f"{path} is not what cases and requirements are now. Rewrite it: {command}"
    if bare:
        return f"{path} is released, but {', '.join(bare)} has no digest"
    there = set(now.splitlines()) | set(kept.splitlines())
    gone = [line.split()[0] for line in frozen.splitlines() if line not in there]
    files = [name for name in gone if name.startswith(("sound:", "picture:"))]
    if files:
        return (f"Suite {version} is released, and these files are not what they were: {', '.join(files)}. Put each of them back (sounds are in "
                f"fixtures/speech, pictures in fixtures/video), and give the new one another name")
    unknown = [name for name in gone if "/" not in name and name not in {line.split()[0] for line in now.splitlines()}]
    if unknown:
        return f"Suite {version} is released, and these requirements are gone: {', '.join(unknown)}. Cases of the suite name them: let them stay, as MAY"
    lost = [name for name in gone if "/" in name]
    return "" if not lost else (
        f"Suite {version} is released, and these cases have another text now: {', '.join(lost)}. For each of them keep the text "
        f"that it had (git show RELEASE:conformance/cases/CASE.session > conformance/suites/kept/{version}/CASE.session), or "
        f"leave the case as it was and give the new one another name")


class ScriptFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="a.session"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_the_suites_own_are_right_and_laid_out(self):
        files = sorted(str(path) for path in (SOURCE / "conformance").rglob("*.session"))
        self.assertGreater(len(files), 100)
        self.assertEqual(conform("fmt", "--check", *files).stdout, "")
        said = conform("check", *files)
        self.assertEqual((said.returncode, said.stderr), (0, ""))

    def test_frozen_suites_are_what_they_were(self):
        now, changes = conform("list", "--freeze").stdout, (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8")
        self.assertGreater(now.count("/"), 100)
        self.assertGreater(now.count("\nOJ-"), 20)
        for file in ("sound:hello-1s.wav", "sound:answer-1.wav", "picture:1.jpg"):
            self.assertRegex(now, rf"(?m)^{file} [0-9a-f]{{16}}$")
        suites = [path for path in (SOURCE / "conformance/suites").iterdir() if path.name[0].isdigit()]
        self.assertTrue(suites)
        for path in suites:
            kept = path.parent / "kept" / path.name
            then = conform("list", "--freeze", kept).stdout if kept.exists() else ""
            self.assertEqual(suite_faults(path.name, path.read_text(encoding="utf-8"), now, then, changes), "")

    def test_a_suite_that_is_not_what_it_was_says_what_to_do(self):
        frozen = "ojin/a/one 0000000000000001\nojin/a/two[n=1] 0000000000000002\nOJ-CON-01 MUST doc all\n"
        changed = frozen.replace("2\n", "3\n")
        released = "- Suite 9.0 is released.\n"
        self.assertEqual(suite_faults("9.0", frozen, frozen, "", ""), "")
        self.assertIn("ojin-conform list --freeze > conformance/suites/9.0", suite_faults("9.0", frozen, changed, "", ""))
        self.assertIn("ojin-conform list --freeze > conformance/suites/9.0", suite_faults("9.0", frozen, frozen + "OJ-CON-02 MUST doc all\n", "", ""))
        self.assertEqual(suite_faults("9.0", frozen, frozen + "ojin/a/new 0000000000000004\n", "", released), "")
        self.assertEqual(suite_faults("9.0", frozen, changed, "ojin/a/two[n=1] 0000000000000002\n", released), "")
        for kept in ("", "ojin/a/two[n=1] 0000000000000005\n"):
            said = suite_faults("9.0", frozen, changed, kept, released)
            self.assertIn("9.0 is released, and these cases have another text now: ojin/a/two[n=1]", said)
            self.assertIn("keep the text", said)
        self.assertEqual(suite_faults("9.0", frozen, frozen.replace("MUST", "MAY"), "", released), "")
        self.assertIn("these requirements are gone: OJ-CON-01. ", suite_faults("9.0", frozen, frozen.replace("OJ-CON-01 MUST doc all\n", ""), "", released))
        for file in ("sound:a.wav", "picture:1.jpg"):
            with_file = frozen + file + " 0000000000000006\n"
            self.assertEqual(suite_faults("9.0", with_file, with_file, "", released), "")
            for now in (frozen, with_file.replace("6\n", "7\n")):
                said = suite_faults("9.0", with_file, now, "", released)
                self.assertIn(f"9.0 is released, and these files are not what they were: {file}. Put each of them back", said)
        self.assertIn("remove that line", suite_faults("9.0", "# not released\n" + frozen, frozen, "", released))
        names_only = suite_faults("9.0", "ojin/a/one\n", frozen, "", released)
        self.assertIn("ojin/a/one has no digest", names_only)

    def test_the_scripts_on_the_pages_are_right(self):
        """Whole cases as they stand; pieces with what has to be around them."""
        pieces = printed.of("test_script_files")
        self.assertGreaterEqual(len(pieces), 5)
        for text in pieces:
            if not text.startswith("case "):
                head, text = (text, "accept\nserve") if text.startswith("vary ") else ("", text)
                text = f"case ojin/a/b\n{head}\nserver {{\n{'' if 'accept' in text else 'accept'}\n{text}\n}}\n"
            with self.subTest(text):
                said = conform("check", self.write(text))
                self.assertEqual(said.returncode, 0, said.stderr + said.stdout)

    def test_fmt_changes_no_meaning_and_settles(self):
        path = self.write('case   ojin/a/b\nserver { accept # x\nserve until="end"\n}')
        self.assertEqual(conform("fmt", "--check", path).returncode, 1)
        self.assertEqual(conform("fmt", path).stdout, f"{path}\n")
        self.assertEqual(conform("fmt", path).stdout, "")
        self.assertEqual(conform("check", path).returncode, 0)

    def test_errors_come_together_in_json(self):
        path = self.write("case a\ntitel 1\nserver {\naccept\nserv\n}\n")
        said = conform("check", "--json", path)
        self.assertEqual(said.returncode, 2)
        (file,) = json.loads(said.stdout)["files"]
        self.assertEqual([(error["line"], error["column"]) for error in file["errors"]], [(2, 1), (5, 1)])
        self.assertIsNone(file["case"])

    def test_a_sound_file_that_is_not_there_is_told(self):
        path = self.write('case a\nplan {\n  speak "hello-1s.wav"\n  speak "no.wav"\n}\nserver {\n  accept\n}\n')
        said = conform("check", path)
        self.assertEqual(said.returncode, 2)
        self.assertIn(":4:9: expected a sound file in ", said.stderr)
        self.assertIn('found "no.wav"', said.stderr)
        (file,) = json.loads(conform("check", "--json", path).stdout)["files"]
        self.assertEqual([(error["line"], error["column"]) for error in file["errors"]], [(4, 9)])

    def test_a_first_word_is_no_place_for_a_value(self):
        said = conform("check", self.write(VARIED))
        self.assertEqual(said.returncode, 2)
        self.assertIn(":10:3: expected a server step", said.stderr)

    def test_a_varied_case_is_many(self):
        path = self.write(VARIED.replace("$how", "wait   1ms").replace("close drop", "a b"))
        said = conform("list", self.folder)
        names = [line.split()[0] for line in said.stdout.splitlines()[:-1]]
        self.assertEqual(names, [f"ojin/test/varied[{n},{how}]" for n in "123" for how in "ab"])
        self.assertIn("5 more", conform("check", path).stdout)

    def test_a_variant_runs_by_its_name_and_leaves_its_own_script(self):
        self.write(VARIED.replace("$how", "close").replace("close drop", "a b"))
        out = self.folder / "out"
        said = conform("run", "--cases", self.folder, "--out", out, "--keep", "--run", "ojin/test/varied[2,b]",
                       "--", CONFORM.parent / "ojin-client", "conform")
        self.assertIn("varied[2,b]", said.stdout + said.stderr + str(list(out.rglob("*"))))
        (script,) = out.rglob("case.session")
        self.assertIn("vary count in 2\nvary how in b\n", script.read_text(encoding="utf-8"))

    def judged(self, name):
        """Runs the cases of the folder in memory: {case: [(check, verdict, actual), …]}, without the ids."""
        report = self.folder / (name + ".json")
        said = conform("run", "--memory", "--cases", self.folder, "--json", report, "--out", self.folder / "out")
        self.assertIn(said.returncode, (0, 1), said.stderr)
        return {case["name"]: [(check["name"], check["verdict"]) for check in case["checks"]]
                for case in json.loads(report.read_text(encoding="utf-8"))["cases"]}

    def test_a_varied_case_in_memory_is_what_each_would_be_written_out(self):
        path = self.write(CUT.replace("NAME", "cut"))
        varied = self.judged("varied")
        path.unlink()
        whole = {"ojin/test/cut[37,none]", "ojin/test/cut[41,none]"}  # a frame without payload has 37 bytes
        for at in (0, 1, 36, 37, 41):
            for order in ("audio,image", "none"):
                text = re.sub("(?m)^vary.*\n", "", CUT.replace("$at", str(at)).replace("$order", order))
                self.write(text.replace("NAME", f"cut-{at}-{order[0]}"), f"{at}-{order[0]}.session")
        written = self.judged("written")
        self.assertEqual(len(varied), 10)
        for name, checks in varied.items():
            at, order = name[len("ojin/test/cut["):-1].split(",")
            self.assertEqual(checks, written[f"ojin/test/cut-{at}-{order[0]}"], name)
            self.assertEqual(dict(checks)["no-frame"], "DISPUTED" if name in whole else "PASS", name)

    def test_no_two_defects_bear_one_name(self):
        lines = subprocess.run([CONFORM, "defect", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
        names = [line.split()[1] for line in lines if re.match(r"[A-Z]+-[A-Z]+-\d+ ", line)]
        self.assertGreater(len(names), 100)
        self.assertEqual([name for name in set(names) if names.count(name) > 1], [])


if __name__ == "__main__":
    unittest.main()
