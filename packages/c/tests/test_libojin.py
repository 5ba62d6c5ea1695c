#!/usr/bin/python3
"""libojin as a user has it: installed into an empty prefix, found by pkg-config and by CMake, shared and static.

BIN_DIR names the folder of the programs, SOURCE_DIR that of the tree.
"""
import os
import subprocess
import tempfile
import unittest

BUILD = os.path.dirname(os.environ["BIN_DIR"])
EXAMPLE = [os.path.join(os.environ["SOURCE_DIR"], "packages", "c", "example", name) for name in ("example.c", "client.c")]
RUN_S = 120
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(example LANGUAGES C)
find_package(ojin 0.1 REQUIRED)
add_executable(example {" ".join(EXAMPLE)})
target_link_libraries(example PRIVATE ojin::ojin)
"""


def run(*words, cwd, status=0, **environment):
    done = subprocess.run(
        words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=RUN_S,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="libojin-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.prefix = os.path.join(cls.folder, "prefix")
        run("cmake", "--install", BUILD, "--component", "libojin", "--prefix", cls.prefix, cwd=cls.folder)
        cls.lib = os.path.join(cls.prefix, "lib")

    def flags(self, *words):
        said = run("pkg-config", *words, "ojin", cwd=self.folder, PKG_CONFIG_PATH=os.path.join(self.lib, "pkgconfig"))
        return said.split()

    def shows_the_finding(self, program):
        said = run(program, cwd=self.folder, status=1, LD_LIBRARY_PATH=self.lib)
        self.assertRegex(said, r"^OJ-CON-02 MUST: expected .*\nstatus 401, ended, findings 1\n$")

    def test_shared_by_pkg_config(self):
        program = os.path.join(self.folder, "shared")
        run("cc", "-o", program, *EXAMPLE, *self.flags("--cflags", "--libs"), cwd=self.folder)
        self.shows_the_finding(program)

    def test_static_by_pkg_config(self):
        program = os.path.join(self.folder, "static")
        words = [word for word in self.flags("--static", "--cflags", "--libs") if word != "-lojin"]
        run("cc", "-o", program, *EXAMPLE, os.path.join(self.lib, "libojin.a"), *words, cwd=self.folder)
        self.assertNotIn("libojin", run("readelf", "-d", program, cwd=self.folder))
        self.shows_the_finding(program)

    def test_cmake(self):
        source = os.path.join(self.folder, "project")
        os.mkdir(source)
        with open(os.path.join(source, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(PROJECT)
        run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", cwd=source)
        run("cmake", "--build", "build", cwd=source)
        self.shows_the_finding(os.path.join(source, "build", "example"))

    def test_nothing_else_is_visible(self):
        shared = run("nm", "-D", "--defined-only", os.path.join(self.lib, "libojin.so"), cwd=self.folder)
        static = run("nm", "-g", "--defined-only", os.path.join(self.lib, "libojin.a"), cwd=self.folder)
        for said in (shared, static):
            names = {line.split()[-1] for line in said.splitlines() if len(line.split()) == 3}
            self.assertIn("ojin_mock_start", names)
            self.assertEqual({name for name in names if not name.startswith("ojin_mock_")}, set())


if __name__ == "__main__":
    unittest.main()
