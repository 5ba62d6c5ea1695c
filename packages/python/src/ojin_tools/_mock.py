"""A mock of one's own, as a process, and its scenarios."""

import secrets
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

from ojin_tools._control import Control
from ojin_tools._endpoint import Context, Endpoint, Quirks, quirk_words
from ojin_tools._home import program_path
from ojin_tools._process import Process

_READY_S = 10.0


def _new_key() -> str:
    return "key-" + secrets.token_hex(12)


class Scenario(Endpoint):
    """An endpoint of the same mock with a behaviour, sessions, a journal and findings of its own."""

    def __init__(self, control: Control, told: Mapping[str, Any], context: Context) -> None:
        super().__init__(control, told, context)
        self.id: str = told["id"]

    def remove(self) -> None:
        """Ends it, and its sessions with 1001."""
        self._control.ask("DELETE", f"../{self.id}")

    def __enter__(self) -> "Scenario":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.remove()


def _scenario_made(root: Control, asked: Mapping[str, Any], quirks: Optional[Quirks]) -> Tuple[Control, Dict[str, Any]]:
    body = {name: value for name, value in asked.items() if value is not None}
    body.setdefault("key", _new_key())
    words = quirk_words(quirks)
    if words:
        body["quirks"] = " ".join(words)
    made = root.ask("POST", "scenarios", body=body)
    return root.below(made["control"]), {**made, "key": body["key"], "config": body.get("config")}


class AttachedMock(Endpoint):
    """A mock that runs already, of this process or of another one."""

    def __init__(self, root: Control, control: Control, told: Mapping[str, Any], context: Context) -> None:
        super().__init__(control, told, context)
        self._root = root
        self.urls: Dict[str, str] = dict(told.get("urls") or {})  #: of each family

    def scenario(
        self,
        *,
        quirks: Optional[Quirks] = None,
        script: Optional[str] = None,
        fault: Optional[str] = None,
        card: Optional[str] = None,
        family: Optional[str] = None,
        profile: Optional[str] = None,
        key: Optional[str] = None,
        config: Optional[str] = None,
        seed: Optional[int] = None,
    ) -> Scenario:
        """Makes an endpoint of its own: url, key, journal and findings that no other test sees.

        At most one of `script`, `fault` and `card`. The family is that of the profile or the script, or else the first
        that the mock serves. A random key is the only one to accept unless one is given.
        """
        asked = {"script": script, "fault": fault, "card": card, "family": family, "profile": profile}
        more = {"key": key, "config": config, "seed": seed}
        control, told = _scenario_made(self._root, {**asked, **more}, quirks)
        return Scenario(control, told, self._context)


class Mock(AttachedMock):
    """A mock that this process has started."""

    def __init__(
        self, process: Process, root: Control, control: Control, told: Mapping[str, Any], context: Context
    ) -> None:
        super().__init__(root, control, told, context)
        self._process = process
        self.pid = process.pid
        self.port: int = process.ready["port"]
        self.control_url: str = process.ready["control"]
        self.ca: Optional[str] = process.ready.get("ca")  #: the file with the certificate to trust, with `tls`

    @property
    def log(self) -> str:
        """The latest 64 KB of its log."""
        return self._process.said

    def handle(self) -> Dict[str, Any]:
        """What another process attaches with: attach_mock(handle), or its JSON in OJIN_TOOLS_MOCK."""
        told = {"url": self.url, "urls": self.urls, "family": self.family, "profile": self.profile, "key": self.key}
        return {"control": self.control_url, "ca": self.ca, "jwtSecret": self._context.jwt_secret, **told}

    def stop(self) -> None:
        """Ends it, and all of its sessions with 1001."""
        self._process.stop()

    def __enter__(self) -> "Mock":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()


def _list(value: Union[None, str, Sequence[str]]) -> List[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _words(given: Mapping[str, Any], quirks: Optional[Quirks], tls: Union[bool, str]) -> List[str]:
    words = ["--port", str(given["port"])]
    if given["family"] is not None:
        words += ["--family", ",".join(_list(given["family"]))]
    for profile in _list(given["profile"]):
        words += ["--profile", profile]
    for quirk in quirk_words(quirks):
        words += ["--quirk", quirk]
    for name in ("listen", "fault", "config", "seed", "speed", "size", "workers", "queue"):
        if given[name] is not None:
            words += [f"--{name}", str(given[name])]
    if tls:
        words.append("--tls" if tls is True else f"--tls={tls}")
    return words


def start_mock(
    *,
    quirks: Optional[Quirks] = None,
    script: Optional[str] = None,
    fault: Optional[str] = None,
    card: Optional[str] = None,
    family: Union[None, str, Sequence[str]] = None,
    profile: Union[None, str, Sequence[str]] = None,
    key: Optional[str] = None,
    config: Optional[str] = None,
    seed: Optional[int] = None,
    speed: Optional[int] = None,
    size: Optional[str] = None,
    tls: Union[bool, str] = False,
    workers: Optional[int] = None,
    queue: Optional[int] = None,
    port: int = 0,
    listen: Optional[str] = None,
    args: Sequence[str] = (),
    env: Optional[Mapping[str, str]] = None,
    home: Union[None, str, Path] = None,
    ready_timeout: float = _READY_S,
    on_log: Optional[Callable[[str], None]] = None,
) -> Mock:
    """Starts a mock on a free port; ready when it returns, stopped by its stop() or at the end of a `with`.

    It ends with this process, even when that is killed. `script` (steps, or a whole script) and `card` are played at
    its `url`; `family` and `profile` say what is served; `args` are further options of ojin-mock. Raises
    ProgramMissing, MockFailed or, where a script is wrong, ControlError.
    """
    key = key or _new_key()
    given = {
        "port": port, "family": family, "profile": profile, "listen": listen, "config": config, "seed": seed,
        "speed": speed, "size": size, "workers": workers, "queue": queue, "fault": fault,
    }  # fmt: skip
    path = program_path("ojin-mock", home)
    process = Process(path, [*_words(given, quirks, tls), *args], {**(env or {}), "OJIN_MOCK_KEY": key}, on_log)
    process.begin(ready_timeout)
    ready = process.ready
    context = Context(home, ready.get("jwt_secret") or (env or {}).get("OJIN_MOCK_JWT_SECRET"))
    root = Control(ready["control"], ready.get("ca"), process.gone)
    control, told = root, {**ready, "family": next(iter(ready["urls"])), "key": key, "config": config}
    if script is not None or card is not None:
        one = {"family": next(iter(_list(family)), None), "profile": next(iter(_list(profile)), None)}
        asked = {"script": script, "card": card, "key": key, "config": config, "seed": seed, **one}
        try:
            control, told = _scenario_made(root, asked, quirks)
        except BaseException:
            process.stop()
            raise
        told["urls"] = {**ready["urls"], told["family"]: told["url"]}
    return Mock(process, root, control, told, context)


def attach_mock(mock: Union[str, Mapping[str, Any]]) -> AttachedMock:
    """A mock that runs already: its control URL, or what mock.handle() gave.

    By a control URL only its scenarios have a url.
    """
    handle = {"control": mock} if isinstance(mock, str) else mock
    base = handle["control"]
    root = Control(base if base.endswith("/") else base + "/", handle.get("ca"))
    root.ask("GET", "health")
    return AttachedMock(root, root, handle, Context(jwt_secret=handle.get("jwtSecret")))
