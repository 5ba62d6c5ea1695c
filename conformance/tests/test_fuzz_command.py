"""ojin-conform fuzz: a right client passes, a wrong one is found, made small and repeated, and what it says of both.

A short sample with a fixed seed.
"""

import json
import os
import shlex
import subprocess
import time
import unittest

from runner_case import BIN, CONFORM, PYTHON, PYTHON_CLIENT, PYTHON_DUPLEX_CLIENT, PYTHON_INTERVIEW_CLIENT, SOURCE, RunnerCase

MINIMAL = [str(BIN / "minimal-plan-client"), "--observe"]


class Fuzz(RunnerCase):
    def fuzz(self, *words, options=()):
        report = self.folder / "fuzz.json"
        done = self.conform("fuzz", "--seed", 1, "--json", report, *options, "--", *words)
        return done, json.loads(report.read_text()) if report.exists() else None

    def changed_c_client(self, *changes):
        """The minimal client in C with other text in it, built as its user would."""
        client = self.changed_client(*changes, client=SOURCE / "conformance/clients/minimal/plan.c")
        program = client.removesuffix(".c")
        sources = [client.replace("plan.c", name) for name in ("plan.c", "session.c", "parts.c")]
        subprocess.run(["cc", "-D_DEFAULT_SOURCE", "-O1", "-g", "-o", program, *sources], check=True)
        return [program, "--observe"]

    def test_a_right_client_passes(self):
        done, report = self.fuzz(*MINIMAL, options=["--persistent", "--cases", 250])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(report["sessions"], 250)
        self.assertEqual(report["findings"], [])
        self.assertTrue(report["compared"])
        self.assertGreater(report["situations"], 100)
        self.assertFalse((self.folder / "fuzz-out").exists())

    def test_the_same_seed_plays_the_same_sessions(self):
        options = ["--persistent", "--cases", 45, "--family", "duplex"]
        words = [str(BIN / "ojin-client"), "conform"]
        first, second = (self.fuzz(*words, options=[*options, "--jobs", jobs])[1] for jobs in (1, 3))
        self.assertEqual(first["situations"], second["situations"])
        self.assertEqual([first["sessions"], second["sessions"]], [45, 45])
        self.assertEqual(first["family"], "duplex")

    def test_a_crash_is_found_made_small_and_repeated(self):
        client = self.changed_c_client(("session_fail(session, \"\", text, false);", "abort();"))
        done, report = self.fuzz(*client, options=["--persistent", "--cases", 200, "--corpus", "corpus"])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        finding = report["findings"][0]
        self.assertEqual(finding["kind"], "crash")
        self.assertEqual(finding["place"], "killed by SIGABRT")
        self.assertEqual(len(report["findings"]), 1)
        self.assertTrue(finding["steady"])
        self.assertLess(finding["bytes"], 4)
        self.assertTrue(list((self.folder / "corpus").iterdir()))
        words = shlex.split(finding["rerun"])
        self.assertEqual(words[0], str(CONFORM))
        again = self.run_program(*words)
        self.assertEqual(again.returncode, 1, again.stdout)
        self.assertIn("SIGABRT", again.stdout)

    def test_what_is_read_otherwise_is_found(self):
        client = self.changed_c_client(("if (type == 1 || type == 2) {", "if ((type == 1 || type == 2) && frame->payloads[type] == NULL) {"))
        done, report = self.fuzz(*client, options=["--persistent", "--cases", 200])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual({finding["kind"] for finding in report["findings"]}, {"misread"})
        self.assertIn(report["findings"][0]["place"], ("frame: sound", "frame: picture"))
        self.assertEqual(self.run_program(*shlex.split(report["findings"][0]["rerun"])).returncode, 1)

    def test_each_thing_that_is_read_otherwise_is_filed_under_its_requirement(self):
        """From a session on that is not far from the first that shows it; if it is no more, those behind it do."""
        for client, first, family, change, place, clause in (
            (PYTHON_CLIENT, 350, "ojin", ("str(frame.timestamp)", "str(frame.timestamp & 2**63 - 1)"), "frame: timestamp", "OJ-OUT-07"),
            (None, 1, "ojin", ("seen,\n           frame->index, frame->final ?", "seen,\n           frame->index, frame->final && frame->index < 2 ?"), "frame: final", "OJ-OUT-16"),
            (None, 1, "ojin", ("seen,\n           frame->index,", "seen,\n           frame->index & 0xffff,"), "frame: index", "OJ-OUT-07"),
            (PYTHON_DUPLEX_CLIENT, 20, "duplex", ('"position") or 1', '"position") and 1'), "queue: position", "DX-CON-05"),
            (PYTHON_INTERVIEW_CLIENT, 60, "interview", ('text=message["text"], final=True', 'text=message["text"], final=speaker == "ai"'), "transcript: final", "IV-OUT-03"),
        ):
            with self.subTest(place):
                wrong = [PYTHON, self.changed_client(change, client=client)] if client else self.changed_c_client(change)
                options = ["--persistent", "--family", family, "--until-found", "--first", first, "--cases", 2000]
                done, report = self.fuzz(*wrong, options=options)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                finding = report["findings"][0]
                self.assertEqual([finding["kind"], finding["place"]], ["misread", place])
                script = self.folder / f"fuzz-out/{family}/fuzz/1-{finding['session']}.session"
                self.assertIn(f"\nclause {clause}\n", script.read_text())
                again = self.run_program(*shlex.split(finding["rerun"]))
                self.assertEqual(again.returncode, 1, again.stdout)
                self.assertIn(clause, again.stdout)

    def test_memory_that_only_grows_is_found(self):
        line = "    const bool dropped = is_dropped("
        keep = "    static uint8_t *volatile kept;\n    kept = malloc(session->length);\n    memcpy(kept, session->message, session->length);\n"
        client = self.changed_c_client((line, keep + line))
        options = ["--persistent", "--memory", 16, "--first", 90, "--cases", 10]  # with one that sends much
        done, report = self.fuzz(*client, options=options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        finding = report["findings"][0]
        self.assertEqual([finding["kind"], finding["steady"], len(report["findings"])], ["memory", True, 1])
        self.assertLessEqual(finding["steps"], 2)
        self.assertLess(finding["tries"], 60)
        self.assertEqual(self.run_program(*shlex.split(finding["rerun"])).returncode, 1)

    def test_work_that_grows_with_the_square_is_found(self):
        """Also where the machine is late in the beginning of the flood: its first part hangs once, and what it costs shows in later ones."""
        line = "    const bool dropped = is_dropped("
        work = ("    static unsigned long seen;\n    seen++;\n    if (seen > 200 && mkdir(\"LATE\", 0700) == 0)\n        sleep(100);\n"
                "    for (volatile unsigned long i = 1000; i < seen; i++)\n        for (volatile unsigned n = 0; n < 1000; n++)\n            continue;\n")
        stat = "#include <sys/socket.h>\n#include <sys/stat.h>\n#include <time.h>\n"
        client = self.changed_c_client((line, work + line), (stat.replace("#include <sys/stat.h>\n", ""), stat))
        options = ["--persistent", "--first", 99, "--cases", 1]  # the first that sends much
        done, report = self.fuzz(*client, options=options)
        self.assertTrue((self.folder / "LATE").is_dir())
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        finding = report["findings"][0]
        self.assertEqual([report["late"], finding["kind"], finding["steady"], len(report["findings"])], [1, "slow", True, 1])
        self.assertRegex(finding["how"], r"^\d+ frames cost it \d+ ms of a core, half as many \d+ ms$")
        self.assertLessEqual(finding["steps"], 2)
        self.assertEqual(self.run_program(*shlex.split(finding["rerun"])).returncode, 1)

    def test_work_that_is_much_and_grows_with_what_is_sent_is_no_finding(self):
        line = "    const bool dropped = is_dropped("
        client = self.changed_c_client((line, "    for (volatile unsigned n = 0; n < 50000; n++)\n        continue;\n" + line))
        done, report = self.fuzz(*client, options=["--persistent", "--first", 99, "--cases", 1])
        self.assertEqual([done.returncode, report["findings"]], [0, []], done.stdout + done.stderr)

    def test_a_client_that_is_of_no_use_afterwards_is_found(self):
        client = self.changed_c_client(
            ("static void put_big_endian(", "static bool spoilt;\n\nstatic void put_big_endian("),
            ("session_fail(session, \"\", text, false);", "spoilt = true;"),
            ("    session->socket = -1;\n", "    session->socket = -1;\n    session->over = spoilt;\n    if (spoilt)\n        return false;\n"),
        )
        done, report = self.fuzz(*client, options=["--persistent", "--cases", 200])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        finding = report["findings"][0]
        self.assertEqual([finding["kind"], finding["steady"], len(report["findings"])], ["unusable", True, 1])
        self.assertIn("it never connects", finding["how"])
        self.assertLess(finding["bytes"], 4)

    def test_what_a_sanitizer_keeps_is_bounded(self):
        says = self.folder / "says"
        client = ["sh", "-c", f'echo "$ASAN_OPTIONS" > {says}; exec {shlex.join(MINIMAL)}']
        for given, expected in (([], "quarantine_size_mb=16"), (["--env", "ASAN_OPTIONS=detect_leaks=0"], "quarantine_size_mb=16:detect_leaks=0")):
            done, _ = self.fuzz(*client, options=["--persistent", "--cases", 1, *given])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(says.read_text().strip()[: len(expected)], expected)

    def test_one_process_for_each_session_will_do(self):
        inputs = self.folder / "inputs"
        client = ["sh", "-c", f"readlink /proc/self/fd/0 >> {inputs}; exec {PYTHON} {PYTHON_DUPLEX_CLIENT}"]
        done, report = self.fuzz(*client, options=["--family", "duplex", "--cases", 4])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(report["sessions"], 4)
        self.assertEqual(set(inputs.read_text().split()), {os.path.realpath("/dev/null")})

    def test_the_case_of_a_client_that_follows_no_plans_is_not_run(self):
        """Its session is played again, and what it wrote when it failed is shown, without its key."""
        wire = SOURCE / "conformance/clients/minimal/wire.py"
        raises = "raise RuntimeError('a text: ' + os.environ['OJIN_API_KEY'])"
        catches = "except (ValueError, AttributeError):"
        client = self.changed_client((catches, f"{catches}\n            {raises}"), client=wire)
        done, report = self.fuzz(PYTHON, client, options=["--cases", 60, "--until-found"])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        finding = report["findings"][0]
        self.assertEqual(finding["kind"], "crash")
        self.assertTrue(finding["rerun"].startswith(f"{CONFORM} fuzz "), finding["rerun"])
        self.assertIn(f" --seed 1 --first {finding['session']} --cases 1 -- ", finding["rerun"])
        self.assertEqual(self.run_program(*shlex.split(finding["rerun"])).returncode, 1)
        self.assertIn("   | RuntimeError: a text: {key}\n", done.stdout)
        self.assertIn("RuntimeError: a text: {key}\n", finding["output"])

    def test_what_is_late_once_is_counted_as_no_finding(self):
        client = self.changed_c_client(
            ("static void put_big_endian(", "static bool once(void)\n{\n    static const char NAME[] = \"ONCE\";\n    return mkdir(NAME, 0700) == 0;\n}\n\nstatic void put_big_endian("),
            ("#include <sys/socket.h>\n#include <time.h>\n", "#include <sys/socket.h>\n#include <sys/stat.h>\n#include <time.h>\n"),
            ("session_fail(session, \"\", text, false);", "if (once())\n            sleep(100);"),
        )
        done, report = self.fuzz(*client, options=["--persistent", "--cases", 200, "--jobs", 1])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([report["late"], report["findings"]], [1, []])
        self.assertNotIn("hang", done.stdout)
        self.assertIn("1 of them took too long once, and not when they were tried again.", done.stdout)

    def test_no_more_than_a_bounded_time_is_spent_behind_the_time(self):
        client = self.changed_c_client(("session_fail(session, \"\", text, false);", "sleep(100);"))
        began = time.monotonic()
        done, report = self.fuzz(*client, options=["--persistent", "--time", "2s", "--timeout", "1s"])
        took = time.monotonic() - began
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual([finding["kind"] for finding in report["findings"]], ["hang"])
        self.assertLess(report["took_ms"], (2 + 20 + 8) * 1000)
        self.assertLess(took, 60)

    def test_sound_that_is_not_there_is_told_before_all(self):
        env = os.environ | {"OJIN_CONFORM_DATA": str(self.folder)}
        done = self.conform("fuzz", "--cases", 1, "--", *MINIMAL, env=env)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"the sound file \S+\.wav: No such file or directory")

    def test_a_client_that_never_works_is_no_finding(self):
        done, _ = self.fuzz("false")
        self.assertEqual(done.returncode, 3)
        self.assertIn("the client fails in a right session already", done.stderr)
        self.assertIn("To start it by hand beside a mock: ojin-mock exec -- false\n", done.stderr)
        done, _ = self.fuzz("/nonexistent/client")
        self.assertEqual(done.returncode, 3)
        self.assertIn("No such file", done.stderr)

    def test_wrong_usage(self):
        for words, sentence in (
            (["--cases", "3"], "no client command"),
            (["--cases", "0", "--", "true"], "--cases '0': expected 1 or more"),
            (["--profile", "all", "--", "true"], "--profile 'all': expected one profile"),
            (["--persistent", "--", "true", "{url}"], "{url}"),
        ):
            with self.subTest(words):
                done = self.conform("fuzz", *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
