#!/usr/bin/python3
"""What ci/package makes is the same when it is made again, and works where it is put: the tarball and the Debian package unpacked, and the tarball in the container
of ci/examples/docker, whose Dockerfile's steps are run, with the tests of its compose.yml beside it, as the printed command of Docker would. No Docker
is needed: its images are folders here, its containers processes, and the tests' image is this machine's Node."""
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import yaml

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
BIN = pathlib.Path(os.environ["BIN_DIR"])
sys.path.insert(0, str(SOURCE / "ci/tests"))

sys.path.insert(0, str(SOURCE / "packages"))

import dockerfile  # noqa: E402
from tests_bundle import ARTEFACTS, artefact, pack, printed  # noqa: E402

LIMIT_S = 300
PROGRAMS = ("ojin-mock", "ojin-client", "ojin-conform")
DOCKER = SOURCE / "ci/examples/docker"
MINIMAL = SOURCE / "conformance/clients/minimal"
PAGE = SOURCE / "docs/test-my-client.md"
COMPOSE = ("docker", "compose", "--file", "ci/examples/docker/compose.yml", "up", "--build", "--exit-code-from", "tests")
KEYS = {"build", "command", "image", "depends_on", "environment", "volumes", "working_dir"}  # of a service: those that are followed here
WITH_A_SCHEME = ("Authorization: ${key}", "Authorization: Bearer ${key}")  # breaks OJ-CON-02
# Exits at once and leaves its session to a process of its own, which does wrong only a second later.
LEAVES_A_SESSION = """
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Session } from './session.mjs';
if (process.argv[2] === 'stay') {
  const session = new Session(process.env.OJIN_URL, process.env.OJIN_API_KEY, process.env.OJIN_CONFIG_ID);
  await session.connect();
  console.log('open');
  await session.until(() => false, 1000);
  session.control('nothing');
  await session.close();
} else {
  const other = spawn(process.execPath, [fileURLToPath(import.meta.url), 'stay'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  other.stdout.once('data', () => process.exit(0));
}
"""


def printed_steps(page):
    """What a page prints to bring containers up: copies, and the commands of Docker."""
    return [command for command in printed.of("test_package", page=str(page.relative_to(SOURCE)), kind="typed") if command.split()[0] in ("cp", "docker")]


def call(*words, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OJIN_", "LD_"))}
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S,
                          check=False, **{"env": kept, "cwd": "/", **more})


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def tarball():
    return artefact("ojin-tools-*-linux-*.tar.gz", unittest.addModuleCleanup)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="unpacked-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def good(self, *words, **more):
        done = call(*words, **more)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}")
        return done.stdout

    def judge(self, programs):
        """The programs start, and a client is judged, from a folder that is neither theirs nor the tree."""
        for name in PROGRAMS:
            self.assertIn(name, self.good(programs / name, "--version"))
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        said = self.good(programs / "ojin-conform", "run", "--run", "ojin/connect/handshake", "--", programs / "ojin-client", "conform",
                         cwd=elsewhere)
        self.assertTrue(said.endswith("1 passed, 0 failed\n"), said)


class Artefacts(Folder):
    def test_packed_again_they_have_the_same_bytes(self):
        again = pack(self.folder / "again")
        made = list(tarball().parent.iterdir())
        self.assertEqual(len(made), ARTEFACTS)
        for file in made:
            self.assertTrue((again / file.name).read_bytes() == file.read_bytes(), file.name)

    def test_the_tarball_runs_from_any_folder_with_its_own_libraries(self):
        place = self.folder / "any where"
        place.mkdir()
        self.good("tar", "-C", place, "--strip-components=1", "-xf", tarball())
        self.judge(place / "bin")
        about = json.loads((place / "share/ojin-tools/bundle.json").read_text())
        for page in ("README.md", "packages/node/README.md"):
            self.assertIn(f"glibc {about['glibc']} or later", (SOURCE / page).read_text(encoding="utf-8"), page)
        carried = {library["file"] for library in about["libraries"]}
        for name in PROGRAMS:
            found = dict(re.findall(r"(?m)^\s*(\S+) => (.+) \(0x", self.good("ldd", place / "bin" / name)))
            self.assertTrue(carried & found.keys(), found)
            for file in carried & found.keys():
                self.assertEqual(pathlib.Path(found[file]).resolve(), place.resolve() / "lib/ojin-tools" / file)

    def test_the_licence_of_each_library_is_there_whole(self):
        self.good("tar", "-C", self.folder, "--strip-components=1", "-xf", tarball())
        libraries = json.loads((self.folder / "share/ojin-tools/bundle.json").read_text())["libraries"]
        there = {path.name for path in (self.folder / "lib/ojin-tools").iterdir()} - {"libojin-mutate.so"}  # that one is ours
        self.assertEqual(there, {library["file"] for library in libraries})
        texts = self.folder / "share/doc/ojin-tools/common-licenses"
        named = set()
        for library in libraries:
            licence = (self.folder / "share/doc/ojin-tools/licences" / library["package"]).read_text()
            named |= set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", licence))
        self.assertIn("LGPL-2.1", named)
        self.assertEqual({path.name for path in texts.iterdir()}, named)
        self.assertIn("GNU LESSER GENERAL PUBLIC LICENSE", (texts / "LGPL-2.1").read_text())

    def test_the_debian_package_has_its_programs_and_says_what_it_needs(self):
        package = artefact("ojin-tools_*.deb", self.addCleanup)
        self.good("dpkg-deb", "--extract", package, self.folder / "root")
        self.judge(self.folder / "root/usr/bin")
        fields = self.good("dpkg-deb", "--field", package, "Package", "Depends")
        self.assertIn("Package: ojin-tools\n", fields)
        self.assertRegex(fields, r"libc6 \(>= [\d.]+\), .*libuv1")
        # Those of the library bring no program, and find what ojin-tools carries.
        version = self.good("dpkg-deb", "--field", package, "Version").strip()
        for name, needs in (("libojin0", f"ojin-tools (= {version})"), ("libojin-dev", f"libojin0 (= {version})")):
            self.assertIn(needs, self.good("dpkg-deb", "--field", artefact(f"{name}_*.deb", self.addCleanup), "Depends"))


    @unittest.skipUnless(shutil.which("node"), "no node, which the client needs")
    def test_the_commands_of_the_first_page_run_as_printed(self):
        unpack, judge, path = (one for one in printed.of("test_package", page="README.md", kind="said") if not one.startswith("apt "))
        tree, of_the_source, make = printed.of("test_package", page="conformance/ADAPTERS.md")
        shutil.copy(tarball(), self.folder)
        for name in ("wire.mjs", "session.mjs"):
            shutil.copy(MINIMAL / name, self.folder)
        (self.folder / "my-client").write_text('#!/bin/sh\nexec node wire.mjs "$@"\n')
        (self.folder / "my-client").chmod(0o755)
        # A few cases do here: what the tarball has to show is that the programs are found and judge.
        said = self.good("sh", "-ec", f"{unpack}\n{judge.replace(' run ', ' run --set smoke ')}", cwd=self.folder)
        self.assertRegex(said, r"\n\d+ passed, 0 failed\n$")
        [top] = (path for path in self.folder.glob("ojin-tools-*") if path.is_dir())
        for folder, export in ((top, path), (top, tree), (SOURCE, of_the_source)):
            if folder == top or BIN == SOURCE / "build/release/bin":
                mine = self.folder / f"mine-{folder.name}-{export == path}"
                made = make.replace("/tmp/my-client", str(mine))
                seen = "pwd" if export == path else "ls $TREE/conformance/clients/minimal/wire.py && pwd"
                said = self.good("sh", "-ec", f"{export}\n{made}\nojin-conform --version\n{seen}", cwd=folder)
                self.assertTrue(said.startswith("ojin-conform ") and said.endswith(f"{mine}\n"), said)


# In a copy of this machine's own root, which takes what is written and is gone with its processes.
COPY = """mount -t tmpfs none "$1" && mkdir "$1/upper" "$1/work" "$1/root" &&
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" none "$1/root" && mount -t proc proc "$1/root/proc" && mount --rbind /dev "$1/root/dev" &&
mkdir -p "$1/root$2" && mount --bind "$2" "$1/root$2" && exec chroot "$1/root" /bin/sh -ec "cd '$2'; $3"
"""


@unittest.skipIf(dockerfile.why_not(), dockerfile.why_not())
@unittest.skipUnless(shutil.which("apt"), "no apt")
class Apt(Folder):
    """Debian's own apt installs the packages, as printed. What they depend on is here, as what builds them needs it, so nothing is fetched."""

    def test_the_commands_of_the_first_page_run_as_printed(self):
        commands = [one for one in printed.of("test_package", page="README.md", kind="said") if one.startswith("apt ")]
        self.assertEqual(len(commands), 2)
        for name in ("ojin-tools_*.deb", "libojin0_*.deb", "libojin-dev_*.deb"):
            shutil.copy(artefact(name, self.addCleanup), self.folder)
        shutil.copy(SOURCE / "packages/c/example/messages.c", self.folder)
        (self.folder / "over").mkdir()
        judge = "/usr/bin/ojin-conform run --run ojin/connect/handshake -- /usr/bin/ojin-client conform"
        compile_it = "cc messages.c $(pkg-config --cflags --libs ojin) -o messages && ./messages"
        for command, then, said in ((commands[0], judge, "1 passed, 0 failed"), (commands[1], compile_it, "the interviewer: Welcome.")):
            before = pathlib.Path("/var/lib/dpkg/status").stat().st_mtime_ns
            words = ("unshare", "--mount", "--", "/bin/sh", "-ec", COPY, "copy", self.folder / "over", self.folder, f"{command} && {then}")
            self.assertTrue(self.good(*words).endswith(f"{said}\n"), command)
            self.assertEqual(pathlib.Path("/var/lib/dpkg/status").stat().st_mtime_ns, before)
            self.assertFalse(pathlib.Path("/usr/bin/ojin-conform").exists())


@unittest.skipIf(dockerfile.why_not(), dockerfile.why_not())
class Container(Folder):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="image-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.shared.chmod(0o755)  # another user looks into it
        cls.compose = yaml.safe_load((DOCKER / "compose.yml").read_text())["services"]
        cls.place = cls.shared / "place"  # the reader's own, with a client in one file
        copied = cls.place / DOCKER.relative_to(SOURCE)
        shutil.copytree(DOCKER, copied)
        shutil.copy(tarball(), cls.place)
        wire = (MINIMAL / "wire.mjs").read_text()
        (cls.place / "my-client.mjs").write_text(
            (MINIMAL / "session.mjs").read_text() + wire.replace("import { Session } from './session.mjs';", "").removeprefix("#!/usr/bin/env node"))
        *copies, _ = printed_steps(PAGE)
        for step in copies:
            subprocess.run(step, shell=True, cwd=cls.place, timeout=LIMIT_S, check=True)
        cls.image = dockerfile.Image(cls.shared / "root", copied / cls.compose["mock"]["build"])

    @contextlib.contextmanager
    def mock(self, *options):
        """A container: its process and its port."""
        port = free_port()
        words, environment = self.image.inside(*self.image.entrypoint, "--port", str(port), *options)
        mock = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.assertIn(f'"port":{port}', mock.stdout.readline())
            yield mock, port
        finally:
            mock.kill()
            mock.wait()
            mock.stdout.close()

    def healthy(self, port, *words):
        return self.image.run(*self.image.healthcheck, *words, MOCK_PORT=str(port)).returncode == 0

    def test_the_image(self):
        self.assertIn("ojin-mock ", self.image.said)
        self.assertEqual(self.image.ports, [int(self.image.variables["MOCK_PORT"])])
        self.assertIn("(default 7700)", self.image.run(*self.image.entrypoint, "--help").stdout)

    def test_the_mock_is_healthy_and_not_root_and_ends_when_told(self):
        with self.mock() as (mock, port):
            status = pathlib.Path(f"/proc/{mock.pid}/status").read_text()
            self.assertRegex(status, r"(?m)^Uid:(\s+7700){4}$")
            self.assertTrue(self.healthy(port))
            self.assertTrue(self.healthy(port, "ready"))
            self.assertEqual(self.image.run("mock-idle", "5", MOCK_PORT=str(port)).returncode, 0)
            mock.terminate()
            self.assertEqual(mock.wait(LIMIT_S), 0)
            self.assertFalse(self.healthy(port))
            self.assertEqual(self.image.run("mock-idle", "5", MOCK_PORT=str(port)).returncode, 0)

    def test_idle_waits_for_a_session(self):
        with self.mock() as (_, port), socket.create_connection(("127.0.0.1", port)) as peer:
            peer.sendall(b"GET /realtime?config_id=any HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: key\r\n\r\n")
            self.assertIn(b" 101 ", peer.recv(4096))
            self.assertEqual(self.image.run("mock-idle", "1", MOCK_PORT=str(port)).returncode, 1)
            peer.close()
            self.assertEqual(self.image.run("mock-idle", "60", MOCK_PORT=str(port)).returncode, 0)

    def test_the_printed_commands_of_compose_are_what_is_followed_here(self):
        steps = printed_steps(PAGE)
        self.assertEqual([step.split()[0] for step in steps], ["cp", "cp", "docker"])
        self.assertEqual(tuple(shlex.split(steps[-1])), COMPOSE)
        self.assertEqual(printed_steps(DOCKER / "compose.yml"), steps)
        file = SOURCE / COMPOSE[3]
        self.assertEqual(list(self.compose), ["mock", "tests"])
        for service in self.compose.values():
            self.assertLessEqual(service.keys(), KEYS)
        self.assertEqual((file.parent / self.compose["mock"]["build"]).resolve(), DOCKER.resolve())
        [(ours, theirs, how)] = [volume.split(":") for volume in self.compose["tests"]["volumes"]]
        self.assertTrue((file.parent / ours / "session.test.mjs").is_file())
        self.assertEqual((theirs, how), (self.compose["tests"]["working_dir"], "ro"))

    def test_the_commands_of_the_dockerfile_run_as_printed(self):
        """With dockerfile.py for `docker`, from a folder that has what ci/package makes where it makes it."""
        copy, build, serve = printed_steps(DOCKER / "Dockerfile")
        place = self.shared / "built"
        shutil.copytree(DOCKER, place / DOCKER.relative_to(SOURCE))
        (place / "build/package").mkdir(parents=True)
        shutil.copy(tarball(), place / "build/package")
        (place / "images").mkdir()
        (place / "docker").write_text(f'#!/bin/sh\nexec /usr/bin/python3 -B {SOURCE}/ci/tests/dockerfile.py "$@"\n')
        (place / "docker").chmod(0o755)
        told = {"env": {**os.environ, "PATH": f"{place}:{os.environ['PATH']}", "DOCKER_IMAGES": str(place / "images")}, "cwd": place}
        for command in (copy, build):
            self.good("sh", "-ec", command, **told)
        port = free_port()
        with subprocess.Popen(["sh", "-ec", f"exec {serve.replace('7700', str(port), 1)}"], stdout=subprocess.PIPE, text=True, **told) as mock:
            self.assertIn(f'"port":{port}', mock.stdout.readline())
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/__mock/health", timeout=LIMIT_S) as answer:
                self.assertEqual(answer.status, 200)
            mock.terminate()
            self.assertEqual(mock.wait(LIMIT_S), 0)

    def test_the_image_of_kubernetes_is_made_as_printed(self):
        """As the Dockerfile's head has it, under the name that the manifest wants."""
        package, copy, build, apply = printed.of("test_package", page="ci/examples/scale/README.md", kind="typed")
        first, made, _ = printed_steps(DOCKER / "Dockerfile")
        _, deployment = yaml.safe_load_all((SOURCE / shlex.split(apply)[-1]).read_text())
        [container] = deployment["spec"]["template"]["spec"]["containers"]
        self.assertEqual((package, copy), ("ci/package", first))
        self.assertEqual(build, made.replace("--tag ojin-mock ", f"--tag {container['image']} "))
        self.assertIn(container["image"].replace(":", " "), self.image.said)

    def test_compose_lets_the_tests_in_by_the_name_of_the_service(self):
        self.assertEqual(self.compose["tests"]["depends_on"], {"mock": {"condition": "service_healthy"}})
        for options, status in ((self.compose["mock"]["command"], 200), ((), 403)):
            with self.subTest(options), self.mock(*options) as (_, port):
                asked = urllib.request.Request(f"http://127.0.0.1:{port}/__mock/health", headers={"Host": f"mock:{port}"})
                try:
                    with urllib.request.urlopen(asked, timeout=LIMIT_S) as answer:
                        self.assertEqual(answer.status, status)
                except urllib.error.HTTPError as error:
                    self.assertEqual(error.code, status)
                    error.close()

    def compose_tests(self, place):
        """The service `tests` with this folder for its volume, beside the service `mock`: its exit status and output."""
        tests = self.compose["tests"]
        with self.mock(*self.compose["mock"]["command"]) as (_, port):
            for _ in range(100):  # as compose waits, for `service_healthy`
                if self.healthy(port):
                    break
                time.sleep(0.1)
            # No such host here: the mock is at an address.
            told = {name: value.replace("//mock:7700", f"//127.0.0.1:{port}") for name, value in tests["environment"].items()}
            self.assertNotEqual(told, tests["environment"])
            done = call(*tests["command"], cwd=place, env={**os.environ, **told})
            return done.returncode, done.stdout

    @unittest.skipUnless(shutil.which("node"), "no node, which the client of the tests needs")
    def test_the_tests_of_compose_pass_for_the_client_that_was_copied_as_printed(self):
        volume = self.compose["tests"]["volumes"][0].split(":")[0]
        status, said = self.compose_tests((self.place / COMPOSE[3]).parent / volume)
        self.assertEqual(status, 0, said)

    @unittest.skipUnless(shutil.which("node"), "no node, which the client of the tests needs")
    def test_the_tests_of_compose_name_what_a_broken_client_does(self):
        session = (MINIMAL / "session.mjs").read_text()
        self.assertIn(WITH_A_SCHEME[0], session)
        wire = (MINIMAL / "wire.mjs").read_text()
        for name, client, parts, expected in (("refused", wire, session.replace(*WITH_A_SCHEME), "OJ-CON-02"),
                                              ("wrong after its exit", LEAVES_A_SESSION, session, "the message type is not known"),
                                              ("connects to nothing", "", session, "the client did not connect")):
            place = self.folder / name
            shutil.copytree(DOCKER / self.compose["tests"]["volumes"][0].split(":")[0], place)
            (place / "my-client.mjs").write_text(client)
            (place / "session.mjs").write_text(parts)
            with self.subTest(name):
                status, said = self.compose_tests(place)
                self.assertNotEqual(status, 0, said)
                self.assertIn(expected, said)

    def test_the_probes_and_the_end_of_the_manifest_for_kubernetes_work_in_the_image(self):
        service, deployment = yaml.safe_load_all((SOURCE / "ci/examples/scale/kubernetes.yaml").read_text())
        template = deployment["spec"]["template"]
        pod, labels = template["spec"], template["metadata"]["labels"]
        [container] = pod["containers"]
        self.assertEqual(deployment["spec"]["selector"]["matchLabels"], labels)
        self.assertLessEqual(service["spec"]["selector"].items(), labels.items())
        self.assertEqual([port["targetPort"] for port in service["spec"]["ports"]], [port["name"] for port in container["ports"]])
        self.assertEqual([port["containerPort"] for port in container["ports"]], self.image.ports)
        told = pod["securityContext"]
        self.assertEqual(f"{told['runAsUser']}:{told['runAsGroup']}", self.image.user)
        ending = container["lifecycle"]["preStop"]["exec"]["command"]
        waits = [int(number) for number in re.findall(r"\b\d+\b", ending[-1])]
        self.assertGreater(pod["terminationGracePeriodSeconds"], sum(waits))
        with self.mock(*container["args"]) as (mock, port):
            for command in (container["readinessProbe"]["exec"]["command"], container["livenessProbe"]["exec"]["command"], ending):
                done = self.image.run(*command, MOCK_PORT=str(port))
                self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}")
            mock.terminate()
            self.assertEqual(mock.wait(LIMIT_S), 0)
            self.assertNotEqual(self.image.run(*container["readinessProbe"]["exec"]["command"], MOCK_PORT=str(port)).returncode, 0)


if __name__ == "__main__":
    unittest.main()
