#!/usr/bin/python3
"""What conformance/FUZZING.md prints runs as printed, with a right parser; and tells of a wrong one."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from runner_case import BIN, PYTHON, SOURCE, RunnerCase

sys.path.insert(0, str(SOURCE / "ci/tests"))
import printed  # noqa: E402

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


def block(name):
    """The code that names the file on its first line."""
    [text] = [text for text in printed.of("test_fuzzing_guide") if re.search(rf"\b{re.escape(name)}:", text.splitlines()[0])]
    return text


class FuzzingGuide(RunnerCase):
    def conform(self, *words):
        return subprocess.run([BIN / "ojin-conform", *words], cwd=self.folder, capture_output=True, text=True, timeout=120, check=True)

    def told(self, words, vectors, status):
        with open(self.folder / vectors) as lines:
            done = subprocess.run(words, cwd=self.folder, stdin=lines, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual("WRONG: " in done.stdout, status == 1, done.stdout + done.stderr)
        return done.stdout

    def damage(self, name, right, wrong):
        text = (self.folder / name).read_text()
        self.assertIn(right, text)
        (self.folder / name).write_text(text.replace(right, wrong))

    def tell_of_faults(self, words, parser, faults):
        """The lines pass a right parser, and tell of each fault: of a right one's own vectors, and of changed ones."""
        right = parser.read_text()
        self.conform("vectors", "--family", "ojin", "--out", "vectors.jsonl")
        self.conform("vectors", "--family", "ojin", "--kind", "frame", "--changed", "20", "--out", "changed.jsonl")
        for vectors in ("vectors.jsonl", "changed.jsonl"):
            self.told(words, vectors, 0)
            for good, bad in faults:
                with self.subTest(vectors=vectors, fault=bad):
                    self.damage(parser.name, good, bad)
                    self.assertRegex(self.told(words, vectors, 1), r"but due is.* OJ-OUT-\d\d\n")
                    parser.write_text(right)

    def test_the_lines_in_python(self):
        parser = pathlib.Path(shutil.copy(CLIENTS / "python/wire.py", self.folder))
        script = self.write("my_vectors.py", block("my_vectors.py"))
        faults = (
            ("if size > len(data) - offset:", "if False:"),
            ("if len(data) - offset < ENTRY_BYTES:", "if False:"),  # ends with an exception of struct
            ("uuid.UUID(bytes=interaction), timestamp, index", "uuid.UUID(bytes=interaction), float(timestamp), index"),
        )
        self.tell_of_faults([PYTHON, "-B", script], parser, faults)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_lines_in_node(self):
        parser = pathlib.Path(shutil.copy(CLIENTS / "node/wire.mjs", self.folder))
        script = self.write("my-vectors.mjs", block("my-vectors.mjs"))
        faults = (
            ("if (size > data.length - offset)", "if (false)"),
            ("if (data.length - offset < ENTRY_BYTES)", "if (false)"),  # ends with a RangeError
            ("data.readBigUInt64BE(17)", "Number(data.readBigUInt64BE(17))"),
            ("frame.audio = data.subarray(offset, offset + size)", "frame.audio = new Int16Array(data.buffer, data.byteOffset + offset, size / 2)"),
        )
        self.tell_of_faults(["node", script], parser, faults)

    def test_the_lines_in_c(self):
        self.conform("vectors", "--family", "ojin", "--format", "dir", "--out", "vectors")
        self.write("my_vectors.c", block("my_vectors.c"))
        self.write("my_parser.c", C_PARSER)
        for fault, status in (("0", 0), ("1", 1)):
            words = ["cc", "-std=c17", "-Wall", "-Werror", f"-DFAULT={fault}", "my_vectors.c", "my_parser.c", "-o", "my_vectors"]
            subprocess.run(words, cwd=self.folder, timeout=120, check=True)
            self.told(["./my_vectors"], "vectors/index.tsv", status)

    def corpus(self):
        """The corpus of Ojin, and the folder of the library."""
        self.conform("corpus", "--family", "ojin", "corpus")
        return str(BIN.parent / "lib")

    def skip_with_sanitizer(self, library):
        """One that is built with a sanitizer runs only in programs that have the same."""
        if re.search(rb"__[atu]\w*san_|__sanitizer_cov", library.read_bytes()):
            self.skipTest("the library is built with a sanitizer")

    @unittest.skipUnless(shutil.which("clang"), "clang is not installed")
    def test_the_target_of_libfuzzer(self):
        lib = self.corpus()
        self.skip_with_sanitizer(pathlib.Path(lib, "libojin-mutate.so"))
        target = block("my_target.c")
        self.write("my_target.c", target)
        build = re.search(r"my_target.c: (clang .*)", target)[1].replace("LIB", lib)
        # One over-read at the end of the last entry.
        wrong = C_PARSER.replace("if (size > len - at) return FAULT;", "if (size > len - at + 1) return 0; sum += size ? data[at + size - 1] : 0;")
        for parser, found in ((C_PARSER.replace("FAULT", "0"), False), (wrong.replace("size_t at = 37;", "size_t at = 37; static unsigned sum;"), True)):
            self.write("my_parser.c", parser)
            subprocess.run(build.split(), cwd=self.folder, timeout=120, check=True)
            done = subprocess.run(["./my_target", "-seed=1", "-runs=20000", "corpus/ojin-frame"], cwd=self.folder, capture_output=True,
                                  text=True, timeout=120, check=False)  # fmt: skip
            self.assertEqual((done.returncode != 0, "heap-buffer-overflow" in done.stderr), (found, found), done.stderr[-3000:])
            self.assertTrue(not found or "Custom" in done.stderr, done.stderr[-3000:])

    def test_the_loop_in_python(self):
        lib = pathlib.Path(self.corpus(), "libojin-mutate.so")
        self.skip_with_sanitizer(lib)
        shutil.copy(CLIENTS / "python/wire.py", self.folder)
        script = self.write("my_fuzz.py", block("my_fuzz.py").replace("range(20000)", "range(300)"))
        for status in (0, 1):
            done = subprocess.run([PYTHON, "-B", script, lib, "corpus/ojin-frame"], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual((done.returncode, "unpack_from requires" in done.stderr), (status, status == 1), done.stderr)
            if status == 0:
                self.damage("wire.py", "if len(data) - offset < ENTRY_BYTES:", "if False:")

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_loop_in_node(self):
        self.corpus()
        shutil.copy(CLIENTS / "node/wire.mjs", self.folder)
        script = self.write("my-fuzz.mjs", block("my-fuzz.mjs"))
        for status in (0, 1):
            done = subprocess.run(["node", script, "corpus/ojin-frame"], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            if status == 0:
                self.damage("wire.mjs", "if (data.length - offset < ENTRY_BYTES)", "if (false)")

    def test_the_corpus_is_minimal_and_the_same_each_time(self):
        self.conform("corpus", "corpus")
        self.conform("corpus", "again")
        made = {path.relative_to(self.folder / "corpus"): path.read_bytes() for path in (self.folder / "corpus").rglob("*") if path.is_file()}
        again = {path.relative_to(self.folder / "again"): path.read_bytes() for path in (self.folder / "again").rglob("*") if path.is_file()}
        self.assertEqual(made, again)
        lines = [json.loads(line) for line in self.conform("vectors").stdout.splitlines()]
        for family, kind in (("ojin", "frame"), ("ojin", "input"), ("ojin", "text"), ("duplex", "text"), ("interview", "text")):
            seeds = {data.hex() for path, data in made.items() if path.parts[0] == f"{family}-{kind}"}
            vectors = [one for one in lines if (one["family"], one["kind"]) == (family, kind)]
            kept = [one for one in vectors if one["hex"] in seeds]
            # Every message and every fault is there, in far fewer messages.
            for what in (lambda one: (one["decoded"] or {}).get("type"), lambda one: (one["error"], one["field"])):
                self.assertEqual({what(one) for one in vectors}, {what(one) for one in kept})
            self.assertLess(len(seeds), len(vectors) / 2)
            words = (self.folder / "corpus" / f"{family}-{kind}.dict").read_text().splitlines()
            self.assertGreater(len(words), 5)
            for word in words:
                self.assertRegex(word, r'^"(?:[^"\\]|\\"|\\x[0-9a-f]{2})+"$')

    def test_each_piece_of_code_is_run_here(self):
        source = pathlib.Path(__file__).read_text(encoding="utf-8")
        for text in printed.of("test_fuzzing_guide"):
            name = re.match(r"\W*([\w.-]+):", text)[1]
            self.assertIn(f'block("{name}")', source)

    def test_what_is_wrong_with_the_words_of_corpus_is_said(self):
        for words, status, said in (([], 2, "expected a folder"), (["a", "b"], 2, "expected one folder"), (["/proc/none/x"], 3, "cannot write")):
            done = subprocess.run([BIN / "ojin-conform", "corpus", *words], capture_output=True, text=True, timeout=30, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(said, done.stderr)

    def test_the_members_are_those_that_it_tells_of(self):
        line = self.conform("vectors", "--family", "ojin").stdout.splitlines()[0]
        told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]*) \|", GUIDE, re.MULTILINE))))
        self.assertLessEqual(set(re.findall(r'"(\w+)":', line.partition('"decoded"')[0])), told)


if __name__ == "__main__":
    unittest.main()
