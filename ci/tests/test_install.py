"""What `cmake --install` puts into a prefix works from there: moved, called through a link, from any folder.

BIN_DIR names the programs of the build, SOURCE_DIR the tree.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "ci/tests"))
import printed  # noqa: E402

PROGRAMS = ("ojin-mock", "ojin-client", "ojin-conform")
LIMIT_S = 120
BUILD_S = 1500
# What each program is linked with, and whose version it can tell.
LIBRARIES = {
    "ojin-mock": {"libuv", "OpenSSL", "libjpeg-turbo", "cJSON", "libjwt", "zlib"},
    "ojin-client": {"libuv", "OpenSSL", "libwebsockets", "libjpeg-turbo", "libsndfile", "libsamplerate", "cJSON", "zlib"},
    "ojin-conform": {"libuv", "OpenSSL", "libwebsockets", "libjpeg-turbo", "libsndfile", "libsamplerate", "cJSON", "libjwt", "zlib"},
}


# What pages name for who has the source.
OF_THE_SOURCE = {
    "build/conform", "build/package", "build/package/ojin-tools-", "build/release", "build/release/pages", "ci/package", "ci/scale", "ci/test", "ci/try",
    "client/app/conform.c", "codec/rules", "conformance/defects",
}

# Stands before the compiler, `COMPILER … -o OBJECT …`, in a build beside another one.
LAUNCHER = """#!/bin/sh
for word; do
    [ "$before" = -o ] && break
    before=$word
done
case $word in
{changed}) exec "$@" ;;
*) exec cp "{build}/$word" "$word" ;;
esac
"""


def good(*words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=BUILD_S, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}"
    return done.stdout


def commands(build):
    """{object: what compiles it}, the folder of the build aside."""
    made = [one["command"].replace(str(build), "BUILD") for one in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))]
    return {re.search(r" -o (\S+)", command)[1]: command for command in made}


class Prefix(unittest.TestCase):
    """A prefix that was moved, and links to its programs."""

    @classmethod
    def install(cls, build, programs="bin"):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        first, cls.prefix = cls.folder / "first", cls.folder / "moved here"
        good("cmake", "--install", build, "--component", "tools", "--prefix", first)
        first.rename(cls.prefix)
        (cls.folder / "links").mkdir()
        for program in PROGRAMS:
            (cls.folder / "links" / program).symlink_to(cls.prefix / programs / program)

    def call(self, *words, cwd="/"):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OJIN_", "LD_"))}
        return subprocess.run(
            [self.folder / "links" / words[0], *words[1:]],
            cwd=cwd, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)

    def judges_a_client(self):
        done = self.call(
            "ojin-conform", "run", "--suite", "1.0", "--run", "ojin/connect/handshake", "--out", self.folder / "out", "--",
            self.folder / "links/ojin-client", "conform")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed, 0 failed", done.stdout)


class Install(Prefix):
    @classmethod
    def setUpClass(cls):
        cls.install(BIN.parent)

    def data(self, name):
        return self.prefix / "share/ojin-tools" / name

    def test_the_commands_of_the_pages(self):
        """They end where PREFIX is; without one that of the build, which is /usr/local, so that one goes into a folder in its place."""
        place = self.folder / "typed"
        for command in printed.of("test_install"):
            words = command.replace("build/release", str(BIN.parent)).replace("PREFIX", str(place / "prefix"))
            top = "prefix" if "PREFIX" in command else "dest/usr/local"
            good("env", f"DESTDIR={place / 'dest' if 'PREFIX' not in command else ''}", *words.split())
            self.assertTrue((place / top / "bin/ojin-conform").is_file(), command)

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

    def completed(self, *words):
        """What bash offers for the last word, of which `--name=value` is three."""
        file = self.prefix / "share/bash-completion/completions" / words[0]
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_$1"; printf "%s\\n" "${COMPREPLY[@]}"'
        return good("bash", "-c", script, "bash", file, *words).split()

    def test_the_completion_of_bash_offers_what_fits_there(self):
        run = ("ojin-conform", "run")
        for words, offered in (
            ((*run, "--su"), ["--suite"]),
            ((*run, "--suite", ""), [path.name for path in (SOURCE / "conformance/suites").iterdir() if path.is_file() and path.suffix != ".md"]),
            ((*run, "--tier", "o"), ["observe"]),
            ((*run, "--family", "=", "d"), ["duplex"]),
            ((*run, "--family", "="), ["ojin", "duplex", "interview"]),
            (("ojin-conform", "me"), ["merge"]),
            (("ojin-conform", "--v"), ["--version"]),
            (("ojin-mock", "--list", "q"), ["quirks"]),
            (("ojin-mock", "--port", "7700", "ex"), ["exec"]),
            # Of files bash knows by itself: nothing is offered.
            ((*run, "--json", ""), []),
            ((*run, "-j", ""), []),
            (("ojin-conform", "replay", ""), []),
            ((*run, "--", "node", "--"), []),
            (("ojin-client", "speak", ""), []),
        ):
            with self.subTest(words):
                self.assertEqual(self.completed(*words), offered)
        self.assertIn("bash", self.completed(*run, "--", "bas"))

    def test_the_profiles_that_are_offered_are_those_of_the_mock(self):
        listed = {line.split()[0] for line in self.call("ojin-mock", "--list", "profiles").stdout.splitlines() if line and ": " not in line}
        self.assertGreater(len(listed), 8)
        for program, command, more in (("ojin-conform", "run", {"all"}), ("ojin-conform", "server", {"auto"}), ("ojin-conform", "list", set()),
                                       ("ojin-conform", "judge", set()), ("ojin-conform", "fuzz", set()), ("ojin-mock", "exec", set())):
            self.assertEqual(set(self.completed(program, command, "--profile", "")), listed | more, command)

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
        self.judges_a_client()

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


class OtherFolders(Prefix):
    """A build that was given other folders than the usual ones, as distributions do."""

    @classmethod
    def setUpClass(cls):
        cls.build = pathlib.Path(tempfile.mkdtemp(prefix="other-folders-"))
        cls.addClassCleanup(shutil.rmtree, cls.build, ignore_errors=True)
        settings = (BIN.parent / "CMakeCache.txt").read_text(encoding="utf-8")
        (cls.build / "CMakeCache.txt").write_text(settings.replace(str(BIN.parent), str(cls.build)), encoding="utf-8")
        cls.make("BINDIR=libexec/tools", "LIBDIR=lib/x86_64-linux-gnu", "DATADIR=share/games/data", "MANDIR=man")
        cls.install(cls.build, "libexec/tools")

    @classmethod
    def make(cls, *folders):
        """Compiles what these folders change. Another object is that of the build that is there, where the same command made it."""
        launcher = cls.build / "launcher"
        good("cmake", "-S", SOURCE, "-B", cls.build, f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}", *(f"-DCMAKE_INSTALL_{folder}" for folder in folders))
        usual, other = commands(BIN.parent), commands(cls.build)
        cls.changed = {made for made in other if other[made] != usual.get(made)}
        launcher.write_text(LAUNCHER.format(build=BIN.parent, changed="|".join(sorted(cls.changed))), encoding="utf-8")
        launcher.chmod(0o755)
        good("nice", "-n", "5", "cmake", "--build", cls.build, "-j2", "--target", "ojin-mutate", "ojin", "ojin_static", *(f"{program}_pages" for program in PROGRAMS))

    def data(self, name):
        return self.prefix / "share/games/data/ojin-tools" / name

    def test_little_is_compiled_anew(self):
        self.assertEqual({made.split("/CMakeFiles/")[0] for made in self.changed}, {"codec/program"})

    def test_all_of_it_is_there(self):
        self.assertEqual({path.name for path in self.prefix.iterdir()}, {"libexec", "lib", "share", "man"})
        self.assertTrue((self.prefix / "man/man1/ojin-mock.1").is_file())
        self.assertTrue((self.prefix / "lib/x86_64-linux-gnu/ojin-tools/libojin-mutate.so").is_file())
        self.assertTrue((self.prefix / "share/games/data/zsh/site-functions/_ojin-conform").is_file())
        self.assertTrue((self.prefix / "share/doc/ojin-tools/README.md").is_file())
        self.assertTrue(self.data("cases").is_dir())

    def test_the_programs_find_their_data(self):
        self.judges_a_client()
        done = self.call("ojin-mock", "exec", "--", "/bin/sh", "-c", 'echo "$OJIN_AUDIO"')
        self.assertEqual(done.stdout.splitlines()[-1], str(self.data("speech/hello-1s.wav").resolve()), done.stderr)
        self.data("").rename(self.folder / "hidden")
        try:
            done = self.call("ojin-conform", "list")
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn(str(self.data("cases").parent), done.stderr)
        finally:
            (self.folder / "hidden").rename(self.data(""))

    def test_the_programs_find_the_libraries_of_a_bundle(self):
        found = re.search(r"libuv\.so\.1 => (\S+)", good("ldd", BIN / "ojin-mock")).group(1)
        carried = self.prefix / "lib/x86_64-linux-gnu/ojin-tools/libuv.so.1"
        shutil.copy(found, carried)
        self.addCleanup(carried.unlink)
        for program in PROGRAMS:
            loaded = re.search(r"libuv\.so\.1 => (.+) \(0x", good("ldd", self.prefix / "libexec/tools" / program)).group(1)
            self.assertEqual(pathlib.Path(loaded).resolve(), carried.resolve(), program)

    def test_the_library_of_c_is_found_there(self):
        place = self.folder / "library"
        good("cmake", "--install", self.build, "--component", "libojin", "--prefix", self.folder / "first")
        (self.folder / "first").rename(place)
        lib = place / "lib/x86_64-linux-gnu"
        search = f"PKG_CONFIG_PATH={lib / 'pkgconfig'}"
        for name in ("ojin", "ojin-static"):
            flags = good("env", search, "pkg-config", "--static", "--cflags", "--libs", name).split()
            good("cc", "-o", self.folder / name, SOURCE / "packages/c/example/messages.c", *flags)
            self.assertIn("Welcome.", good("env", f"LD_LIBRARY_PATH={lib}", self.folder / name))
        self.assertTrue((lib / "cmake/ojin/ojinConfig.cmake").is_file())

    def test_the_programs_of_that_build_find_the_data_of_the_source(self):
        listed = good(BIN / "ojin-conform", "list")
        self.assertEqual(good(self.build / "bin/ojin-conform", "list"), listed)

    def test_a_folder_for_data_may_be_absolute(self):
        data = self.folder / "absolute"
        self.make(f"DATADIR={data}")
        self.addCleanup(self.make, "DATADIR=share/games/data")
        good("cmake", "--install", self.build, "--component", "tools", "--prefix", self.folder / "programs")
        done = subprocess.run([self.folder / "programs/libexec/tools/ojin-mock", "exec", "--", "/bin/sh", "-c", 'echo "$OJIN_AUDIO"'],
                              cwd="/", capture_output=True, text=True, timeout=LIMIT_S, check=False)
        self.assertEqual(done.stdout.splitlines()[-1], str(data.resolve() / "ojin-tools/speech/hello-1s.wav"), done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
