"""The artefacts that the packages' tests install: what ci/package makes of this build tree, the very files that are handed to users.

ctest has them made once, in PACKAGE_DIR, for all tests; by hand each makes its own. BIN_DIR names the folder of the programs,
SOURCE_DIR that of the tree.
"""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci", "tests"))
import printed  # noqa: E402, F401 (for the tests that import it from here)

PACK_S = 600  # only what hangs comes near it
ARTEFACTS = 6


def pack(folder):
    """Has ci/package make everything in `folder`, from this build as it is."""
    script = os.path.join(os.environ["SOURCE_DIR"], "ci", "package")
    build = os.path.dirname(os.environ["BIN_DIR"])
    words = [script, "--as-built", "--build", build, "--no-lint", "--out", str(folder)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PACK_S)
    assert done.returncode == 0 and done.stdout.endswith(f"{ARTEFACTS} passed, 0 failed\n"), done.stdout
    return pathlib.Path(folder)


def serve_printed(command, **how):
    """Types a command that starts a mock, at a free port in place of the printed one, and stops it once it listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    assert "7700" in command, command
    with subprocess.Popen(command.replace("7700", port), shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          start_new_session=True, **how) as process:
        line = process.stdout.readline()
        os.killpg(process.pid, signal.SIGTERM)
    assert f":{port}/" in line, f"{command}: {line!r}"


def artefact(pattern, cleanup):
    """The one that the pattern matches; `cleanup` is told what to call in the end."""
    made = os.environ.get("PACKAGE_DIR")
    if made is None:
        own = tempfile.TemporaryDirectory(prefix="package-")
        cleanup(own.cleanup)
        made = pack(own.name)
    found = list(pathlib.Path(made).glob(pattern))
    assert len(found) == 1, f"{made} holds {len(found)} files like {pattern}; expected one"
    return found[0]
