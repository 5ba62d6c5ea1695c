#!/usr/bin/python3
"""The table of ci/README.md names every fuzzer with its folder, and functions that the fuzzer's own sources call."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["SOURCE_DIR"])
ROW = re.compile(r"^\| `(fuzz_\w+)` \| `([\w/]+)` \| ([^|]*) \|")
SOURCE_ROW = re.compile(r"^\| ((?:`[\w/]+\.c`(?:, )?)+) \| [^|]* \| ([^|]*) \|$")
READS = re.compile(r"(?<![>.\w])(?:fread|getline|fgets|read|recv|recvfrom|recvmsg|readv|fscanf|scanf|SSL_read|SSL_read_ex|BIO_read|"
                   r"sf_open|sf_open_fd|uv_read_start)\(")
NOT_OURS = {"tests", "bench", "clients"}  # tests, measurements, clients of users
DECLARED = re.compile(r"^house_fuzzer\((fuzz_\w+)\s+SOURCES\s+([^)]*?)\s+LINK", re.MULTILINE)


def rows():
    """{fuzzer: (folder, [function])} of the table."""
    found = {}
    for line in (ROOT / "ci/README.md").read_text(encoding="utf-8").splitlines():
        row = ROW.match(line)
        if row:
            found[row[1]] = (row[2], re.findall(r"`(\w+)`", row[3]))
    return found


def declared():
    """{fuzzer: [source]} of the build."""
    found = {}
    for layer in ("codec", "server", "client", "conformance"):
        for path in (ROOT / layer).rglob("CMakeLists.txt"):
            for name, sources in DECLARED.findall(path.read_text(encoding="utf-8")):
                found[name] = [path.parent / word for word in sources.split() if not word.startswith("$")]
    return found


def sources():
    """{file: fuzzers and "nobody"} of the table of what reads."""
    found = {}
    for line in (ROOT / "ci/README.md").read_text(encoding="utf-8").splitlines():
        row = SOURCE_ROW.match(line)
        if row:
            for name in re.findall(r"`([\w/]+\.c)`", row[1]):
                found[name] = row[2]
    return found


def reading():
    """The source files in which something is read."""
    found = []
    for layer in ("codec", "server", "client", "conformance"):
        for path in (ROOT / layer).rglob("*.c"):
            code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            if not NOT_OURS & set(path.parts) and READS.search(code):
                found.append(str(path.relative_to(ROOT)))
    return sorted(found)


class Table(unittest.TestCase):
    def test_every_fuzzer_has_its_row(self):
        self.assertGreater(len(declared()), 20)
        self.assertEqual(sorted(declared()), sorted(rows()))

    def test_every_file_that_reads_is_told_with_its_fuzzers(self):
        self.assertGreater(len(reading()), 20)
        self.assertEqual(reading(), sorted(sources()))
        for name, goes_to in sources().items():
            with self.subTest(name):
                fuzzers = re.findall(r"`(fuzz_\w+)`", goes_to)
                self.assertLessEqual(set(fuzzers), set(rows()))
                for other in re.findall(r"as `([\w/]+\.c)`", goes_to):
                    self.assertIn(other, sources())
                self.assertTrue(fuzzers or "nobody" in goes_to or " as `" in goes_to)

    def test_every_source_of_a_fuzzer_is_built(self):
        built = {path.resolve() for sources in declared().values() for path in sources}
        for layer in ("codec", "server", "client", "conformance"):
            for path in (ROOT / layer).rglob("fuzz_*.c"):
                if "LLVMFuzzerTestOneInput" in path.read_text(encoding="utf-8"):
                    self.assertIn(path.resolve(), built)

    def test_every_fuzzer_has_a_corpus_and_no_corpus_is_left_over(self):
        corpora = {path.stem for path in (ROOT / "fixtures/fuzz").glob("fuzz_*.txt")}
        self.assertEqual(sorted(declared()), sorted(corpora))

    def test_functions_are_called_by_the_fuzzer_and_declared_in_the_folder(self):
        for name, (folder, functions) in rows().items():
            code = "".join(path.read_text(encoding="utf-8") for path in declared()[name])
            headers = "".join(path.read_text(encoding="utf-8") for path in (ROOT / folder).glob("*.h"))
            self.assertTrue(functions, name)
            for function in functions:
                with self.subTest(fuzzer=name, function=function):
                    self.assertRegex(code, rf"\b{function}\b")
                    self.assertRegex(headers, rf"\b{function}\b")


if __name__ == "__main__":
    unittest.main()
