"""What `cmake --install` puts into a prefix works from there: moved, called through a link, from any folder.

BIN_DIR names the programs of the build, SOURCE_DIR the tree.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
PROGRAMS = ("ojin-mock", "ojin-client", "ojin-conform")
LIMIT_S = 120
# What each program is linked with, and whose version it can tell.
LIBRARIES = {
    "ojin-mock": {"libuv", "OpenSSL", "libjpeg-turbo", "cJSON", "libjwt", "zlib"},
    "ojin-client": {"libuv", "OpenSSL", "libwebsockets", "libjpeg-turbo", "libsndfile", "libsamplerate", "cJSON", "zlib"},
    "ojin-conform": {"libuv", "OpenSSL", "libwebsockets", "libjpeg-turbo", "libsndfile", "libsamplerate", "cJSON", "libjwt", "zlib"},
}


# What pages name for who has the source.
OF_THE_SOURCE = {
    "build/conform", "build/package", "build/release", "build/release/pages", "ci/package", "ci/scale", "ci/test", "ci/try",
    "client/app/conform.c", "codec/rules", "conformance/defects",
}


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        first, cls.prefix = cls.folder / "first", cls.folder / "moved here"
        subprocess.run(["cmake", "--install", BIN.parent, "--prefix", first], check=True, capture_output=True, timeout=LIMIT_S)
        first.rename(cls.prefix)
        (cls.folder / "links").mkdir()
        for program in PROGRAMS:
            (cls.folder / "links" / program).symlink_to(cls.prefix / "bin" / program)

    def call(self, *words, cwd="/"):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OJIN_", "LD_"))}
        return subprocess.run(
            [self.folder / "links" / words[0], *words[1:]],
            cwd=cwd, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)

    def data(self, name):
        return self.prefix / "share/ojin-tools" / name

    def test_the_layout(self):
        for name in ("cases", "server-cases", "suites/1.0", "speech/hello-1s.wav", "video/1.jpg", "schemas/report.schema.json",
                     "fixtures/vectors/frames.json"):
            self.assertTrue(self.data(name).exists(), name)
        for program in PROGRAMS:
            for name in (f"bin/{program}", f"share/man/man1/{program}.1", f"share/bash-completion/completions/{program}",
                         f"share/zsh/site-functions/_{program}", f"share/fish/vendor_completions.d/{program}.fish"):
                self.assertTrue((self.prefix / name).is_file(), name)
        for name in ("README.md", "CHANGELOG.md", "LICENSE", "server/SCRIPTS.md", "conformance/ADAPTERS.md"):
            self.assertTrue((self.prefix / "share/doc/ojin-tools" / name).is_file(), name)
        self.assertEqual([path for path in self.prefix.rglob("*") if path.is_symlink()], [])

    def test_what_the_pages_name_is_there(self):
        pages = self.prefix / "share/doc/ojin-tools"
        named = set()
        for page in pages.rglob("*.md"):
            text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
            for link in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text):
                named.add((page.parent / link).resolve().relative_to(pages.resolve()))
        self.assertIn(pathlib.Path("ci/examples/gitlab"), named)
        # That one is for who has the source.
        self.assertEqual([str(path) for path in named if not (pages / path).exists()], ["CONTRIBUTING.md"])

    def test_every_path_that_the_pages_name_is_there(self):
        pages = self.prefix / "share/doc/ojin-tools"
        # A page is read from its own folder, from that of a family of pages, or from the top; README says where the rest is.
        elsewhere = {"build/release/lib/": "lib/ojin-tools/", "fixtures/speech/": "share/ojin-tools/speech/"}
        tops = {path.name for path in SOURCE.iterdir() if path.is_dir()} | {"clients"}
        named, missing = set(), set()
        for page in pages.rglob("*.md"):
            for word in re.findall(r"(?<![\w/.$}{:-])(?:\./)?[\w.-]+(?:/[\w.-]+)+", page.read_text(encoding="utf-8")):
                if word.removeprefix("./").split("/")[0] not in tops or re.search(r"\b[A-Z]{2,}\b", word):
                    continue
                named.add(word)
                places = [page.parent / word, page.parent.parent / word, pages / word]
                places += [self.prefix / (new + (word + "/").removeprefix(old)) for old, new in elsewhere.items() if (word + "/").startswith(old)]
                if not any(place.exists() for place in places):
                    missing.add(word)
        for name in ("conformance/clients/python/ojin_client.py", "clients/minimal/into_files.py", "fixtures/speech"):
            self.assertIn(name, named)
        self.assertEqual(missing, OF_THE_SOURCE)

    def test_every_sound_of_a_case_is_there(self):
        cases = [path.read_text(encoding="utf-8") for name in ("cases", "server-cases") for path in self.data(name).rglob("*.session")]
        # A variable of a case stands for any word.
        patterns = {re.sub(r"\$\w+", "*", sound) for text in cases for sound in re.findall(r"[\w$-]+\.wav", text)}
        self.assertGreater(len(patterns), 3)
        for pattern in patterns:
            named = {path.name for path in (SOURCE / "fixtures/speech").glob(pattern)}
            self.assertNotEqual(named, set(), pattern)
            self.assertEqual(named - {path.name for path in self.data("speech").iterdir()}, set(), pattern)

    def test_the_suite_lists_and_explains_the_same_cases(self):
        for words in (("list",), ("list", "--server"), ("explain", "OJ-CON-01")):
            built = subprocess.run([BIN / "ojin-conform", *words], capture_output=True, text=True, timeout=LIMIT_S, check=False)
            moved = self.call("ojin-conform", *words)
            self.assertEqual((moved.returncode, moved.stdout), (built.returncode, built.stdout), moved.stderr)
            self.assertGreater(len(moved.stdout.splitlines()), 5, words)

    def test_a_client_is_judged(self):
        done = self.call(
            "ojin-conform", "run", "--suite", "1.0", "--run", "ojin/connect/handshake", "--out", self.folder / "out", "--",
            self.folder / "links/ojin-client", "conform")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed, 0 failed", done.stdout)

    def test_a_command_beside_the_mock_is_told_where_sounds_and_pictures_are(self):
        done = self.call("ojin-mock", "exec", "--", "/bin/sh", "-c", 'echo "$OJIN_AUDIO"; echo "$DUPLEX_VIDEO"')
        self.assertEqual(done.returncode, 0, done.stderr)
        told = done.stdout.splitlines()[-2:]
        self.assertEqual(told, [str(self.data("speech/hello-1s.wav").resolve()), str(self.data("video").resolve())])

    def test_without_the_data_none_of_the_build_is_taken(self):
        self.data("").rename(self.folder / "hidden")
        try:
            done = self.call("ojin-conform", "list")
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn(str(self.data("cases").parent), done.stderr)
            done = self.call("ojin-mock", "exec", "--", "/bin/sh", "-c", 'echo "[$OJIN_AUDIO]"')
            self.assertEqual(done.stdout.splitlines()[-1], "[]")
        finally:
            (self.folder / "hidden").rename(self.data(""))

    def test_versions_come_from_one_place(self):
        version = re.search(r"project\(\S+ VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
        for program in PROGRAMS:
            done = self.call(program, "--version")
            self.assertEqual(done.returncode, 0, done.stderr)
            first, second = done.stdout.splitlines()
            self.assertRegex(first, rf"^{program} {re.escape(version)} \(([0-9a-f]{{8,}}(-dirty)?|unknown)\)$")
            versions = dict(word.rsplit(" ", 1) for word in second.removeprefix("with ").split(", "))
            self.assertEqual(set(versions), LIBRARIES[program])
            for number in versions.values():
                self.assertRegex(number, r"^\d+\.\d+(\.\d+)*$")
        self.assertIn(f"## {version}", (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8"))
        # Releases and images that the examples and the pages name.
        named = {}
        for path in (*(SOURCE / "ci/examples").rglob("*"), *(SOURCE / "docs").glob("*.md")):
            if path.is_file():
                for number in re.findall(r"(?:[@/]v|ojin-tools-|ojin-mock:)(\d+\.\d+\.\d+)", path.read_text(encoding="utf-8")):
                    named.setdefault(number, []).append(str(path.relative_to(SOURCE)))
        self.assertEqual(list(named), [version], named)


if __name__ == "__main__":
    unittest.main(verbosity=2)
