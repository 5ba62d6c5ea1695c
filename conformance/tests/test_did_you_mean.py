#!/usr/bin/python3
"""What somebody mistypes is answered with what is nearest: options, commands and patterns of all three programs."""

import re
import subprocess
import unittest

from runner_case import BIN, RunnerCase

COMMAND = re.compile(r"^  ([a-z]+)(?: \S+)?  +\S", re.MULTILINE)
OPTION = re.compile(r"^ {1,6}(?:-[a-z], )?--([a-z0-9-]+)", re.MULTILINE)


def said_by(*words):
    done = subprocess.run([str(BIN / words[0]), *words[1:]], capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, done.stdout + done.stderr


def slip(word):
    """One letter too many, and never the beginning of the right word, which would be taken for it."""
    return word + "x"


class DidYouMean(RunnerCase):
    def commands(self):
        yield ("ojin-mock",)
        for program in ("ojin-client", "ojin-conform"):
            for command in COMMAND.findall(said_by(program, "--help")[1]):
                if command != "help":
                    yield (program, command)

    def test_every_option_in_a_help_text_is_found_by_a_slip_in_it(self):
        tried = 0
        for words in self.commands():
            options = OPTION.findall(said_by(*words, "--help")[1])
            self.assertTrue(options, words)
            for option in options:
                with self.subTest(words=words, option=option):
                    status, said = said_by(*words, f"--{slip(option)}")
                    self.assertEqual(status, 2, said)
                    self.assertIn(f'; did you mean "--{option}"?', said)
                tried += 1
        self.assertGreater(tried, 120)

    def test_every_command_is_found_by_a_slip_in_it(self):
        for program, command in [words for words in self.commands() if len(words) == 2]:
            with self.subTest(program=program, command=command):
                status, said = said_by(program, slip(command))
                self.assertEqual(status, 2, said)
                self.assertIn(f'; did you mean "{command}"?', said)
        status, said = said_by("ojin-mock", "execx", "--", "true")
        self.assertEqual((status, 'did you mean "exec"?' in said), (2, True), said)

    def test_an_option_before_the_command(self):
        for program, word, expected in (
            ("ojin-conform", "--versoin", 'ojin-conform: no option \'--versoin\'; did you mean "--version"?\n'),
            ("ojin-client", "--verison", 'ojin-client: no such option: \'--verison\'; did you mean "--version"? ('),
            ("ojin-conform", "--family", "ojin-conform: no option '--family': an option of a command stands behind it\n"),
            ("ojin-client", "--url", "ojin-client: no such option: '--url': an option of a command stands behind it ("),
        ):
            with self.subTest(program=program, word=word):
                status, said = said_by(program, word)
                self.assertEqual(status, 2, said)
                self.assertTrue(said.startswith(expected), said)

    def test_what_is_near_to_nothing_is_answered_without_a_guess(self):
        for words in self.commands():
            with self.subTest(words=words):
                status, said = said_by(*words, "--qqqqqqqqq")
                self.assertEqual(status, 2, said)
                self.assertNotIn("did you mean", said)
                self.assertIn("--help", said)

    def test_a_value_that_is_one_of_a_list(self):
        for words, nearest in (
            (("ojin-conform", "run", "--says", "redy"), "ready"),
            (("ojin-conform", "run", "--says", "ready,plyed,error"), "played"),
            (("ojin-conform", "run", "--stop", "TRM"), "TERM"),
            (("ojin-conform", "run", "--stop", "SIGQUITT@idle:2s"), "QUIT"),
            (("ojin-conform", "run", "--stop", "TERM@idel:2s"), "idle"),
            (("ojin-conform", "run", "--tier", "obsrve"), "observe"),
            (("ojin-conform", "run", "--quirk", "any-pth"), "any-path"),
            (("ojin-conform", "run", "--set", "slwo"), "slow"),
            (("ojin-conform", "run", "--profile", "oris-1"), "oris-1.0"),
            (("ojin-client", "speak", "--profile", "oris-1"), "oris-1.0"),
            (("ojin-client", "decode", "--family", "ojn"), "ojin"),
            (("ojin-client", "decode", "--from", "clint"), "client"),
            (("ojin-client", "talk", "--mode", "vidoe"), "video"),
            (("ojin-mock", "--log", "debgu"), "debug"),
            (("ojin-mock", "--tls=expird"), "expired"),
            (("ojin-bench", "--only", "blsat", "a", "b", "c"), "blast"),
            (("ojin-bench", "--quik", "a", "b", "c"), "--quick"),
        ):
            with self.subTest(words=words):
                status, said = said_by(*words)
                self.assertEqual(status, 2, said)
                self.assertIn(f'; did you mean "{nearest}"?', said)
        for words in (("run", "--says", "ready,xxxxxxxx"), ("run", "--stop", "TERM@idle:2x"), ("run", "--stop", "idle:2s")):
            status, said = said_by("ojin-conform", *words)
            self.assertEqual((status, "did you mean" in said), (2, False), said)
        self.assertIn("'xxxxxxxx' is none", said_by("ojin-conform", "run", "--says", "ready,xxxxxxxx")[1])

    def test_what_is_wrong_with_a_right_option(self):
        for words, expected in (
            (["run", "--set"], "option '--set' needs a value"),
            (["run", "-j"], "option '-j' needs a value"),
            (["run", "--memory=3"], "option '--memory' takes no value"),
            (["run", "--re", "3"], "option '--re' is ambiguous: expected --repeat or --retries"),
            (["run", "-x"], "no option '-x'"),
        ):
            with self.subTest(words=words):
                status, said = said_by("ojin-conform", *words)
                self.assertEqual(status, 2, said)
                self.assertTrue(said.startswith(f"ojin-conform run: {expected}\n"), said)

    def test_a_pattern_that_takes_no_case(self):
        for command, pattern, expected in (
            ("list", "ojin/cancle/*", '; did you mean "ojin/cancel/*"?'),
            ("list", "duplex/play/*", '; did you mean "duplex/playing/*"?'),
            ("list", "ojin/in/*", '; did you mean "ojin/input/*"?'),
            ("list", "ojin/reconnecting/refused-5*", '; did you mean "ojin/reconnect/refused-5*"?'),
            ("list", "ojin/cancel/late-spech", '; did you mean "ojin/cancel/late-speech"?'),
            ("list", "ojin/cancl", '; did you mean "ojin/cancel/*"?'),
            ("list", "late-speech", '; did you mean "*late-speech*" (1 case)?'),
            ("list", "oj-can-03", ": it is a requirement, not a case; about it: ojin/cancel/"),
            ("list", "DX-SRV-01", ": it is a requirement, and none of these cases is about it"),
            ("list", "qqqq", ": 'ojin-conform list' shows the names"),
            ("run", "ojin/cancle/*", '; did you mean "ojin/cancel/*"?'),
            ("run", "*/queued", "is of another family: add --family duplex"),
            ("server", "ojin/redy/*", '; did you mean "ojin/ready/*"?'),
            ("server", "duplex/*", "is of another family: add --family duplex"),
        ):
            with self.subTest(command=command, pattern=pattern):
                rest = {"run": ["--", "true"], "server": ["--url", "ws://127.0.0.1:1/realtime"]}.get(command, [])
                status, said = said_by("ojin-conform", command, "--run", pattern, *rest)
                self.assertEqual(status, 2, said)
                self.assertIn(f"ojin-conform {command}: ", said)
                self.assertIn(f"--run '{pattern}'", said)
                self.assertIn(expected, said)

    def test_names_of_one_family_choose_it(self):
        for patterns, cases in ((["duplex/text/cut-off"], 1), (["duplex/text/*", "duplex/playing/burst"], 4)):
            words = [word for pattern in patterns for word in ("--run", pattern)]
            status, said = said_by("ojin-conform", "run", "--memory", *words)
            self.assertEqual(status, 0, said)
            self.assertIn(f"\n{cases} passed, 0 failed", said)

    def test_a_pattern_that_leaves_no_case_out(self):
        for command in ("list", "run", "server"):
            rest = {"run": ["--run", "ojin/ready/*", "--", "true"], "server": ["--url", "ws://127.0.0.1:1/realtime"]}.get(command, [])
            status, said = said_by("ojin-conform", command, "--skip", "ojin/redy/*", "--skip", "duplex/*", *rest)
            self.assertEqual(status, 2, said)
            self.assertIn(f"ojin-conform {command}: no case matches --skip 'ojin/redy/*'; did you mean \"ojin/ready/*\"?", said)
            self.assertNotIn("duplex/*", said)

    def listed(self, *options):
        lines = said_by("ojin-conform", "list", "--family", "ojin", *options)[1].splitlines()
        return {line.split()[0].partition("[")[0] for line in lines[:-1]}

    def test_a_pattern_whose_cases_another_option_leaves_out(self):
        slow = sorted(self.listed() - self.listed("--set", "default"))
        earlier = sorted(self.listed("--profile", "oris-1.0-earlier") - self.listed("--profile", "oris-1.0"))
        self.assertTrue(slow and earlier)
        for options, expected in (
            (["--set", "default", "--run", slow[0][:-1] + "?"], "is of the set 'slow': add --set slow"),
            (["--profile", "oris-1.0", "--run", earlier[0]], "is not for the profile oris-1.0: try --profile all"),
            (["--run", "ojin/ready/*", "--skip", "ojin/*"], "is left out by --skip"),
        ):
            with self.subTest(options=options):
                self.assertIn(expected, said_by("ojin-conform", "list", *options)[1])

    def test_one_wrong_pattern_among_right_ones_is_wrong_usage(self):
        for pattern, expected in (("ojin/cancle/*", "no case matches --run 'ojin/cancle/*'; did you mean \"ojin/cancel/*\"?"),
                                  ("duplex/play/*", "no case matches --run 'duplex/play/*'; did you mean \"duplex/playing/*\"?")):
            done = self.conform("run", "--memory", "--run", "ojin/ready/*", "--run", pattern, "--out", str(self.folder / "out"))
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(expected, done.stderr)

    def test_a_requirement_of_selftest_and_of_servers_and_a_defect(self):
        for words, expected in (
            (["selftest", "--run", "OJ-CNO-01"], "'OJ-CNO-01'; did you mean \"OJ-CON-01\"?"),
            (["selftest", "--run", "OJ-CON-01", "--run", "OJ-CNO-01"], "'OJ-CNO-01'; did you mean \"OJ-CON-01\"?"),
            (["selftest", "--memory", "--run", "OJ-CON-02"], "nothing of --run shows in memory, only over a real transport: leave out --memory"),
            (["server", "--url", "ws://127.0.0.1:1/realtime", "--requirement", "OJ-SVR-01"], 'did you mean "OJ-SRV-01"?'),
            (["defect", "bearer-prefx"], '; did you mean "bearer-prefix"?'),
        ):
            with self.subTest(words=words):
                status, said = said_by("ojin-conform", *words)
                self.assertEqual(status, 2, said)
                self.assertIn(expected, said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
