#!/usr/bin/python3
"""No files of this tree call each other in a circle. ci/circles finds one that is planted, in small trees that are
compiled for it."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["BIN_DIR"]).parent
CIRCLES = ROOT / "ci/circles"
CALLER = "int {other}(void);\nint {name}(void);\nint {name}(void) {{ return {other}(); }}\n"
ANSWER = "int {name}(void);\nint {name}(void) {{ return 1; }}\n"


def caller(name, other):
    return CALLER.format(name=name, other=other)


def answer(name):
    return ANSWER.format(name=name)


CIRCLE = {"core/up.c": ("core", caller("up", "down")), "core/down.c": ("core", caller("down", "up"))}


@unittest.skipUnless(BUILD.name == "release", "ci/circles looks at the objects of the preset release")
class ThisTree(unittest.TestCase):
    def test_calls_run_one_way(self):
        done = subprocess.run([CIRCLES, ROOT], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr), done.stdout)
        self.assertRegex(done.stdout, r"^[1-9][0-9]* passed, 0 failed\n$")


class Circles(unittest.TestCase):
    def look(self, files, known=None, options=(), newer=()):
        """Compiles {file: (target, text)}, where a target in capitals is a program, and runs ci/circles there. What is
        `newer` is a source that changed afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            build = root / "build/release"
            build.mkdir(parents=True)
            commands = []
            for file, (target, text) in files.items():
                for path in (root / file, build / f"CMakeFiles/{target}.dir/{file}.o"):
                    path.parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text, encoding="utf-8")
                if target.islower():
                    (build / f"lib{target}.a").touch()
                words = ["cc", "-o", f"CMakeFiles/{target}.dir/{file}.o", "-c", str(root / file)]
                subprocess.run(words, cwd=build, check=True)
                os.utime(root / file, (0, 0 if file not in newer else 2**31))
                commands.append({"directory": str(build), "command": " ".join(words), "file": str(root / file)})
            (build / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
            if known is not None:
                (root / "ci").mkdir()
                (root / "ci/circles.known").write_text(known, encoding="utf-8")
            done = subprocess.run([CIRCLES, *options, root], capture_output=True, text=True, timeout=60, check=False)
            return done.returncode, done.stdout, done.stderr

    def test_calls_that_run_one_way(self):
        files = {"core/up.c": ("core", caller("up", "down")), "core/down.c": ("core", answer("down"))}
        self.assertEqual((0, "2 passed, 0 failed\n", ""), self.look(files))

    def test_two_files_in_a_circle(self):
        code, out, _ = self.look(CIRCLE)
        self.assertEqual(1, code)
        self.assertEqual("2 files call each other: core/down.c core/up.c\n"
                         "  core/down.c -> core/up.c: up\n"
                         "  core/up.c -> core/down.c: down\n"
                         "0 passed, 2 failed\n", out)

    def test_three_files_in_a_circle_and_one_that_only_calls_it(self):
        code, out, _ = self.look({"one/a.c": ("one", caller("a", "b")), "two/b.c": ("two", caller("b", "c")),
                                  "two/c.c": ("two", caller("c", "a")), "two/d.c": ("two", caller("d", "a"))})
        self.assertEqual(1, code)
        self.assertIn("3 files call each other: one/a.c two/b.c two/c.c\n", out)
        self.assertIn("1 passed, 3 failed", out)
        self.assertNotIn("d.c", out)

    def test_a_table_closes_a_circle_too(self):
        table = "int up(void);\nint (*const TABLE[])(void) = {up};\n"
        user = "extern int (*const TABLE[])(void);\nint up(void) { return TABLE[0](); }\n"
        code, out, _ = self.look({"core/table.c": ("core", table), "core/up.c": ("core", user)})
        self.assertEqual(1, code)
        self.assertIn("  core/up.c -> core/table.c: TABLE\n", out)

    def test_a_callback_closes_none(self):
        up = "int down(int (*say)(void));\nstatic int one(void) { return 1; }\nint up(void) { return down(one); }\n"
        down = "int down(int (*say)(void));\nint down(int (*say)(void)) { return say(); }\n"
        code, out, _ = self.look({"core/up.c": ("core", up), "core/down.c": ("core", down)})
        self.assertEqual((0, "2 passed, 0 failed\n"), (code, out))

    def test_a_name_of_another_program_is_no_arrow(self):
        code, out, _ = self.look({"core/down.c": ("core", caller("down", "up")), "a/up.c": ("A", caller("up", "down")),
                                  "b/up.c": ("B", caller("go", "up")), "b/own.c": ("B", answer("up"))})
        self.assertEqual((0, "4 passed, 0 failed\n"), (code, out))

    def test_a_name_that_two_libraries_define(self):
        code, out, _ = self.look({"one/waits.c": ("one", answer("waits_add")), "two/waits.c": ("two", answer("waits_add"))})
        self.assertEqual((1, "waits_add is defined in one/waits.c and two/waits.c\n2 passed, 1 failed\n"), (code, out))

    def test_tests_are_left_out(self):
        files = {"core/up.c": ("core", caller("up", "down")), "core/tests/down.c": ("core", caller("down", "up"))}
        self.assertEqual((0, "1 passed, 0 failed\n", ""), self.look(files))

    def test_a_known_circle(self):
        known = "# why files may call each other\ncore/up.c core/d*.c # a parser's own recursion\n"
        self.assertEqual((0, "2 passed, 0 failed\n", ""), self.look(CIRCLE, known))
        self.assertIn("2 files call each other", self.look(CIRCLE, known, ["--all"])[1])

    def test_a_known_circle_that_has_grown(self):
        files = {**CIRCLE, "core/down.c": ("core", caller("down", "more")), "core/more.c": ("core", caller("more", "up"))}
        code, out, _ = self.look(files, "core/up.c core/down.c # a parser's own recursion\n")
        self.assertEqual(1, code)
        self.assertIn("3 files call each other: core/down.c core/more.c core/up.c\n", out)

    def test_a_line_that_no_circle_needs(self):
        code, out, _ = self.look({"core/down.c": ("core", answer("down"))}, "core/up.c core/down.c # recursion\n")
        self.assertEqual(1, code)
        self.assertEqual("ci/circles.known: no circle needs this line any more: core/up.c core/down.c # recursion\n"
                         "1 passed, 1 failed\n", out)

    def test_a_line_without_a_reason(self):
        code, _, said = self.look(CIRCLE, "core/up.c core/down.c\n")
        self.assertEqual(1, code)
        self.assertIn("without a reason: core/up.c core/down.c", said)

    def test_an_object_that_is_not_built(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder) / "build/release"
            build.mkdir(parents=True)
            entry = {"directory": str(build), "file": f"{folder}/a.c", "command": "cc -o CMakeFiles/a.dir/a.c.o -c a.c"}
            (build / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
            (build.parent.parent / "a.c").touch()
            done = subprocess.run([CIRCLES, folder], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(1, done.returncode)
            self.assertIn("a.c was not built since it changed", done.stderr)

    def test_a_source_that_changed_after_it_was_built(self):
        code, out, said = self.look(CIRCLE, newer=["core/up.c"])
        self.assertEqual((1, ""), (code, out))
        self.assertIn("core/up.c was not built since it changed: build the preset release first", said)


if __name__ == "__main__":
    unittest.main()
