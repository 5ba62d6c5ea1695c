#!/usr/bin/python3
"""The table of ci/README.md names every fuzzer with its folder, and functions that the fuzzer's own sources call; every function
that takes bytes is reached by one, or the README says why not."""

import os
import pathlib
import re
import tempfile
import unittest

from calls import LAYERS, NOT_OURS, Calls, takers

ROOT = pathlib.Path(os.environ["SOURCE_DIR"])
ROW = re.compile(r"^\| `(fuzz_\w+)` \| `([\w/]+)` \| ([^|]*) \|")
REASON_ROW = re.compile(r"^\| ((?:`(?:\w+|[\w/]+/)`(?:, )?)+) \| ([^|]+) \|$")
SOURCE_ROW = re.compile(r"^\| ((?:`[\w/]+\.c`(?:, )?)+) \| [^|]* \| ([^|]*) \|$")
READS = re.compile(r"(?<![>.\w])(?:fread|getline|fgets|read|recv|recvfrom|recvmsg|readv|fscanf|scanf|SSL_read|SSL_read_ex|BIO_read|"
                   r"sf_open|sf_open_fd|uv_read_start)\(")
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
    for layer in LAYERS:
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
    for layer in LAYERS:
        for path in (ROOT / layer).rglob("*.c"):
            code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            if not NOT_OURS & set(path.parts) and READS.search(code):
                found.append(str(path.relative_to(ROOT)))
    return sorted(found)


def unreached(root, fuzzers):
    """{function: header} of those that take bytes and that none of these fuzzers reaches."""
    reached = Calls(root).reached_from([path for paths in fuzzers.values() for path in paths])
    return {name: header for name, header in takers(root).items() if name not in reached}


def excused():
    """Functions, and folders with their end, of which the README says why nothing reaches them."""
    text = (ROOT / "ci/README.md").read_text(encoding="utf-8").split("### What no fuzzer reaches\n")[1].split("\n### ")[0]
    rows = [REASON_ROW.match(line) for line in text.splitlines()]
    return [name for row in rows if row for name in re.findall(r"`([\w/]+)`", row[1])]


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
        for layer in LAYERS:
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

    def test_every_function_that_takes_bytes_is_reached_or_excused(self):
        self.assertGreater(len(takers(ROOT)), 200)
        folders = tuple(name for name in excused() if name.endswith("/"))
        left = {name: header for name, header in unreached(ROOT, declared()).items() if not header.startswith(folders)}
        self.assertEqual(sorted(left), sorted(set(excused()) - set(folders)))
        for folder in folders:
            self.assertTrue(any(header.startswith(folder) for header in takers(ROOT).values()), folder)

    def test_a_new_function_without_a_fuzzer_is_found(self):
        files = {
            "codec/families.def": "FAMILY(first, FIRST)\n",
            "codec/first.h": "bool first_read(struct bytes text);\nbool first_check(struct bytes text);\nbool first_close(int fd);\n"
            "bool first_load(const uint8_t *data,\n                size_t len);\nbool first_hear(struct bytes text);\n"
            "struct class {\n    bool (*hear)(struct bytes text);\n    int first_load;\n};\n",  # which defines no `bool`
            "codec/first.c": "/* { first_load */\nstatic bool hear(struct bytes text)\n{\n    return text.first_load != '{' && first_hear(text);\n}\n"
            'const struct class FIRST_CLASS = {.name = "first_load", .hear = hear};\nbool first_hear(struct bytes text)\n{\n    return true;\n}\n'
            "bool first_load(const uint8_t *data, size_t len)\n{\n    return first_check(bytes_of(data, len));\n}\n",
            "codec/families.c": "const struct class *const CLASSES[] = {\n#define FAMILY(name, prefix) &prefix##_CLASS,\n};\n",
            "codec/tests/fuzz_first.c": "int LLVMFuzzerTestOneInput(void)\n{\n    return first_read(all) && CLASSES[0]->hear(all);\n}\n",
        }
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            fuzzers = {"fuzz_first": [root / "codec/tests/fuzz_first.c"]}
            (root / "codec/read.c").write_text("bool first_read(struct bytes text)\n{\n    return true;\n}\n", encoding="utf-8")
            self.assertEqual(unreached(root, fuzzers), {"first_check": "codec/first.h", "first_load": "codec/first.h"})


if __name__ == "__main__":
    unittest.main()
