#!/usr/bin/python3
"""What conformance/FUZZING.md prints runs as printed, with a right parser; and tells of a wrong one."""

import re
import shutil
import subprocess
import unittest

from runner_case import BIN, PYTHON, SOURCE, RunnerCase

GUIDE = (SOURCE / "conformance/FUZZING.md").read_text()
CLIENTS = SOURCE / "conformance/clients"
# A parser of frames in C, for the example; FAULT leaves out one of its checks.
C_PARSER = """
#include <stddef.h>
static unsigned long big(const unsigned char *at) {
    return (unsigned long)at[0] << 24 | (unsigned long)at[1] << 16 | (unsigned long)at[2] << 8 | at[3];
}
int my_parser(const unsigned char *data, size_t len) {
    size_t at = 37;
    if (len < at) return 0;
    for (unsigned long left = big(data + 33); left > 0; left--) {
        if (len - at < 5) return 0;
        const unsigned long size = big(data + at);
        at += 5;
        if (size > len - at) return FAULT;
        at += size;
    }
    return 1;
}
"""


def block(language, name):
    """The fenced block of that language that names the file on its first line."""
    for text in re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL):
        if name in text.splitlines()[0]:
            return text
    raise AssertionError(f"no {language} block names {name}")


class FuzzingGuide(RunnerCase):
    def conform(self, *words):
        return subprocess.run([BIN / "ojin-conform", *words], cwd=self.folder, capture_output=True, text=True, timeout=120, check=True)

    def told(self, words, vectors, status):
        with open(self.folder / vectors) as lines:
            done = subprocess.run(words, cwd=self.folder, stdin=lines, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual("WRONG: " in done.stdout, status == 1, done.stdout + done.stderr)

    def damage(self, name, right, wrong):
        text = (self.folder / name).read_text()
        self.assertIn(right, text)
        (self.folder / name).write_text(text.replace(right, wrong))

    def test_the_lines_in_python(self):
        self.conform("vectors", "--family", "ojin", "--out", "vectors.jsonl")
        shutil.copy(CLIENTS / "python/wire.py", self.folder)
        script = self.write("my_vectors.py", block("python", "my_vectors.py"))
        self.told([PYTHON, "-B", script], "vectors.jsonl", 0)
        self.damage("wire.py", "if size > len(data) - offset:", "if False:")
        self.told([PYTHON, "-B", script], "vectors.jsonl", 1)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_lines_in_node(self):
        self.conform("vectors", "--family", "ojin", "--out", "vectors.jsonl")
        shutil.copy(CLIENTS / "node/wire.mjs", self.folder)
        script = self.write("my-vectors.mjs", block("js", "my-vectors.mjs"))
        self.told(["node", script], "vectors.jsonl", 0)
        self.damage("wire.mjs", "if (size > data.length - offset)", "if (false)")
        self.told(["node", script], "vectors.jsonl", 1)

    def test_the_lines_in_c(self):
        self.conform("vectors", "--family", "ojin", "--format", "dir", "--out", "vectors")
        self.write("my_vectors.c", block("c", "my_vectors.c"))
        self.write("my_parser.c", C_PARSER)
        for fault, status in (("0", 0), ("1", 1)):
            words = ["cc", "-std=c17", "-Wall", "-Werror", f"-DFAULT={fault}", "my_vectors.c", "my_parser.c", "-o", "my_vectors"]
            subprocess.run(words, cwd=self.folder, timeout=120, check=True)
            self.told(["./my_vectors"], "vectors/index.tsv", status)

    def test_the_members_are_those_that_it_tells_of(self):
        line = self.conform("vectors", "--family", "ojin").stdout.splitlines()[0]
        told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]*) \|", GUIDE, re.MULTILINE))))
        self.assertLessEqual(set(re.findall(r'"(\w+)":', line.partition('"decoded"')[0])), told)


if __name__ == "__main__":
    unittest.main()
