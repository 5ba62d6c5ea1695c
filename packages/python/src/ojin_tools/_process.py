"""The process of a mock, from its start to its end."""

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import IO, Any, Callable, Dict, List, Mapping, Optional

_LOG_MAX = 65_536  # characters
_LOG_SHOWN = 2_000
_STOP_S = 5.0


class MockFailed(Exception):
    """A mock that does not start or stop."""


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.rstrip().splitlines())


class Process:
    """Ends with this process however that ends, since its standard input is closed then."""

    def __init__(
        self, path: Path, words: List[str], env: Mapping[str, str], on_log: Optional[Callable[[str], None]] = None
    ) -> None:
        self._words = [str(path), *words]
        self._said = ""
        self._on_log = on_log
        self._stopping = False
        self._line = b""
        self._first = threading.Event()
        self.ready: Dict[str, Any] = {}
        try:
            self._process = subprocess.Popen(
                [*self._words, "--until-stdin-closes"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **env},
                start_new_session=True,  # a Ctrl-C is for this process, which then ends the mock
            )
        except OSError as error:
            raise MockFailed(f"ojin-mock could not be started: {error}. {self._quoted()}") from None
        self._readers = [
            threading.Thread(target=self._read_ready, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_log, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def said(self) -> str:
        """The latest 64 KB of its log."""
        return self._said

    def _read_ready(self, stream: "IO[bytes]") -> None:
        self._line = stream.readline()
        self._first.set()
        while stream.read(4096):
            pass

    def _read_log(self, stream: "IO[bytes]") -> None:
        for line in stream:
            text = line.decode(errors="replace")
            self._said = (self._said + text)[-_LOG_MAX:]
            if self._on_log is not None:
                self._on_log(text)

    def _quoted(self) -> str:
        said = f"It said:\n{_indented(self._said[-_LOG_SHOWN:])}" if self._said else "It said nothing."
        return f"{said}\n  command: {' '.join(self._words)}"

    def _exit(self) -> str:
        try:
            code = self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:  # it closed its output, and goes on
            self._process.kill()
            code = self._process.wait()
        for reader in self._readers:
            reader.join(_STOP_S)
        return f"signal {-code}" if code < 0 else f"exit status {code}"

    def begin(self, timeout: float) -> None:
        """Until it listens; its ready line is in `ready` then. Raises MockFailed."""
        in_time = self._first.wait(timeout)
        if in_time and self._line.endswith(b"\n"):
            self.ready = json.loads(self._line)
            return
        if not in_time:
            self._process.kill()
        ended = self._exit()
        self._release()
        if in_time:
            raise MockFailed(f"ojin-mock ended ({ended}) before it was ready. {self._quoted()}")
        raise MockFailed(f"ojin-mock was not ready within {timeout:g} s. {self._quoted()}")

    def gone(self) -> Optional[str]:
        """A sentence when it has ended."""
        if self._process.poll() is None:
            return None
        if self._stopping:
            return "the mock was stopped already"
        return f"the mock has ended ({self._exit()}). {self._quoted()}"

    def stop(self) -> None:
        self._stopping = True
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._exit()
            self._release()
            raise MockFailed(f"ojin-mock did not stop within {_STOP_S:g} s. {self._quoted()}") from None
        self._exit()
        self._release()

    def _release(self) -> None:
        """Once it has ended; what a process of its own still holds open is left to its reader."""
        streams = [self._process.stdin]
        for reader, stream in zip(self._readers, (self._process.stdout, self._process.stderr)):
            if not reader.is_alive():
                streams.append(stream)
        for stream in streams:
            if stream is not None:
                stream.close()
