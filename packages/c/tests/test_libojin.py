#!/usr/bin/python3
"""libojin as a user has it: installed into an empty prefix, from the tarball, or from the Debian packages; found by pkg-config and by
CMake, shared and static.

BIN_DIR names the folder of the programs, SOURCE_DIR that of the tree.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "packages"))

from tests_bundle import artefact, printed  # noqa: E402

BUILD = os.path.dirname(os.environ["BIN_DIR"])
EXAMPLES = os.path.join(os.environ["SOURCE_DIR"], "packages", "c", "example")
EXAMPLE = [os.path.join(EXAMPLES, name) for name in ("example.c", "client.c")]
MESSAGES = os.path.join(EXAMPLES, "messages.c")
RUN_S = 120
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(example LANGUAGES C)
find_package(ojin 0.1 REQUIRED)
foreach(kind ojin ojin_static)
  add_executable(${{kind}}_example {" ".join(EXAMPLE)})
  target_link_libraries(${{kind}}_example PRIVATE ojin::${{kind}})
  add_executable(${{kind}}_messages {MESSAGES})
  target_link_libraries(${{kind}}_messages PRIVATE ojin::${{kind}})
endforeach()
"""
MESSAGES_SAY = """frame of 1322 bytes: 1280 of sound, index 1
cut short: payload data: the size runs past the end of the message, at byte 42
append of 5383 bytes: audio: expected 4000 samples (250 ms) or more, found 1000 samples
the interviewer: Welcome.
"""
# The code of README, with what it leaves to its reader: a client, which puts a scheme in front of its key, and a message of four bytes of sound.
README_PROGRAM = """#include <ojin_codec.h>
#include <ojin_mock.h>
#include <stdio.h>

#include "client.h"

static void my_client_run(const char *url, const char *key)
{
    (void)key;
    client_ask(url);
}

static void print_finding(void *context, const struct ojin_mock_finding *finding)
{
    (void)context;
    printf("%%s\\n", finding->text);
}

static void play(const void *data, size_t len)
{
    printf("played %%zu bytes\\n", data == NULL ? 0 : len);
}

static void test_client(void)
{
%s    printf("findings %%zu\\n", findings);
}

static void test_message(const unsigned char *message, size_t len)
{
%s}

int main(void)
{
    static const unsigned char message[] = {[32] = 1, [36] = 1, [40] = 4, [41] = 1, 1, 2, 3, 4};
    test_client();
    test_message(message, sizeof message);
}
"""
PUBLIC = ("ojin_mock_", "ojin_codec_")


def run(*words, cwd, status=0, **environment):
    done = subprocess.run(
        words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=RUN_S,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


class Library:
    """What every prefix has to do: `unpack` puts one into `prefix`."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="libojin-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.prefix = os.path.join(cls.folder, "prefix")
        cls.unpack()
        cls.lib = os.path.join(cls.prefix, "lib")

    def flags(self, *words, name="ojin"):
        [folder] = glob.glob(os.path.join(self.lib, "**", "pkgconfig"), recursive=True)
        said = run("pkg-config", *words, name, cwd=self.folder, PKG_CONFIG_PATH=folder)
        return said.split()

    def shows_the_finding(self, program):
        said = run(program, cwd=self.folder, status=1, LD_LIBRARY_PATH=self.lib)
        self.assertRegex(said, r"^OJ-CON-02 MUST: expected .*\nstatus 401, ended, findings 1\n$")

    def takes_messages_apart(self, program):
        self.assertEqual(run(program, cwd=self.folder, LD_LIBRARY_PATH=self.lib), MESSAGES_SAY)

    def test_shared_by_pkg_config(self):
        program, messages = (os.path.join(self.folder, name) for name in ("shared", "shared-messages"))
        run("cc", "-o", program, *EXAMPLE, *self.flags("--cflags", "--libs"), cwd=self.folder)
        run("cc", "-o", messages, MESSAGES, *self.flags("--cflags", "--libs"), cwd=self.folder)
        self.shows_the_finding(program)
        self.takes_messages_apart(messages)

    def links_statically(self, flags):
        program, messages = (os.path.join(self.folder, name) for name in ("static", "static-messages"))
        run("cc", "-o", program, *EXAMPLE, *flags, cwd=self.folder)
        run("cc", "-o", messages, MESSAGES, *flags, cwd=self.folder)
        for made in (program, messages):
            self.assertNotIn("libojin", run("readelf", "-d", made, cwd=self.folder))
        self.shows_the_finding(program)
        self.takes_messages_apart(messages)

    def test_static_by_pkg_config_beside_the_shared_one(self):
        self.links_statically(self.flags("--static", "--cflags", "--libs", name="ojin-static"))

    def test_static_by_pkg_config_where_there_is_no_shared_one(self):
        whole, self.prefix = self.prefix, os.path.join(self.folder, "static-only")
        self.lib = os.path.join(self.prefix, "lib")
        shutil.copytree(whole, self.prefix, symlinks=True)
        for path in glob.glob(os.path.join(self.lib, "libojin.so*")):
            os.remove(path)
        self.links_statically(self.flags("--static", "--cflags", "--libs"))

    def test_cmake(self):
        source = os.path.join(self.folder, "project")
        os.mkdir(source)
        with open(os.path.join(source, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(PROJECT)
        run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", cwd=source)
        run("cmake", "--build", "build", cwd=source)
        for kind, is_shared in (("ojin", True), ("ojin_static", False)):
            for name, works in (("example", self.shows_the_finding), ("messages", self.takes_messages_apart)):
                program = os.path.join(source, "build", f"{kind}_{name}")
                self.assertEqual("libojin" in run("readelf", "-d", program, cwd=self.folder), is_shared)
                works(program)

    @unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
    def test_headers_are_those_of_c_plus_plus_too(self):
        names = os.listdir(os.path.join(self.prefix, "include"))
        self.assertEqual(len(names), 4)
        source = os.path.join(self.folder, "headers.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(f"#include <{name}>\n" for name in sorted(names))
        run("c++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", *self.flags("--cflags"), source, cwd=self.folder)

    def test_headers_cite_documents_by_title(self):
        for path in glob.glob(os.path.join(self.prefix, "include", "*.h")):
            with open(path, encoding="utf-8") as file:
                self.assertNotRegex(file.read(), r"(?<!,)\b00\d [A-Za-z]", path)

    def test_nothing_else_is_visible(self):
        shared = run("nm", "-D", "--defined-only", os.path.join(self.lib, "libojin.so"), cwd=self.folder)
        static = run("nm", "-g", "--defined-only", os.path.join(self.lib, "libojin.a"), cwd=self.folder)
        for said in (shared, static):
            names = {line.split()[-1] for line in said.splitlines() if len(line.split()) == 3}
            self.assertLessEqual({"ojin_mock_start", "ojin_codec_frame_read", "ojin_codec_duplex_write", "ojin_codec_interview_free"}, names)
            self.assertEqual({name for name in names if not name.startswith(PUBLIC)}, set())


class Installed(Library, unittest.TestCase):
    @classmethod
    def unpack(cls):
        run("cmake", "--install", BUILD, "--component", "libojin", "--prefix", cls.prefix, cwd=cls.folder)


class Tarball(Library, unittest.TestCase):
    @classmethod
    def unpack(cls):
        os.mkdir(cls.prefix)
        file = artefact("ojin-tools-*-linux-*.tar.gz", cls.addClassCleanup)
        run("tar", "-C", cls.prefix, "--strip-components=1", "-xf", file, cwd=cls.folder)


    def test_the_commands_of_the_readme_run_as_printed(self):
        commands = printed.of("test_libojin", kind="typed")
        self.assertEqual([command.split()[0] for command in commands], ["export", "cc", "cc"])
        place = os.path.join(self.folder, "readers-own")
        os.mkdir(place)
        shutil.copy(MESSAGES, os.path.join(place, "test.c"))
        said = run("sh", "-ec", "\n".join([*commands, "./shared", "./static"]).replace("PREFIX", self.prefix), cwd=place)
        self.assertEqual(said, 2 * MESSAGES_SAY)

    def test_the_code_of_the_readme_runs_as_printed(self):
        mock, codec = printed.of("test_libojin", kind="code")
        with open(os.path.join(self.folder, "readme.c"), "w", encoding="utf-8") as file:
            file.write(README_PROGRAM % (mock, codec))
        client = os.path.join(EXAMPLES, "client.c")
        program = os.path.join(self.folder, "readme")
        run("cc", "-Wall", "-Werror", "-I", EXAMPLES, "-o", program, "readme.c", client, *self.flags("--cflags", "--libs"), cwd=self.folder)
        said = run(program, cwd=self.folder, LD_LIBRARY_PATH=self.lib)
        self.assertRegex(said, r"^OJ-CON-02 MUST: expected .*\nfindings 1\nplayed 4 bytes\n$")


class Debian(Library, unittest.TestCase):
    @classmethod
    def unpack(cls):
        cls.prefix = os.path.join(cls.folder, "root", "usr")
        for name in ("ojin-tools", "libojin0", "libojin-dev"):
            run("dpkg-deb", "--extract", artefact(f"{name}_*.deb", cls.addClassCleanup), os.path.join(cls.folder, "root"), cwd=cls.folder)


if __name__ == "__main__":
    unittest.main()
