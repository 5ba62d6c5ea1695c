"""What a mock and a scenario have in common: an address for clients, sessions, a journal, findings."""

import subprocess
import urllib.parse
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Collection, Dict, List, Mapping, Optional, Sequence, Union

from ojin_tools._control import Control
from ojin_tools._findings import Finding, FindingsError, judged
from ojin_tools._home import program_path
from ojin_tools._journal import Journal, JournalTimeout

#: "cancel-late=2s fade", ["cancel-late=2s", "fade"] or {"cancel-late": "2s", "fade": True}
Quirks = Union[str, Sequence[str], Mapping[str, Union[str, int, bool]]]

_CONFIG = "any-config"
_INTERVIEW = "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab"
_CONFIG_MARK = "{config}"
_TOKEN_S = 60


def quirk_words(quirks: Optional[Quirks]) -> List[str]:
    """A word for each: "fade", "cancel-late=2s", "lead=off"."""
    if quirks is None:
        return []
    if isinstance(quirks, str):
        return quirks.split()
    if isinstance(quirks, Mapping):
        values = {name: "off" if value is False else value for name, value in quirks.items()}
        return [name if value is True else f"{name}={value}" for name, value in values.items()]
    return list(quirks)


class Session:
    """A connection as the mock has seen it; `told` is all that it says of it."""

    def __init__(self, control: Control, told: Dict[str, Any]) -> None:
        self._control = control
        self.told = told
        self.number: int = told["session"]
        self.family: str = told["family"]
        self.state: str = told["state"]  #: "asking", "joining", "open", "closing", "over" or "refused"
        self.received: Dict[str, Dict[str, int]] = told["received"]  #: messages and bytes by label
        self.sent: Dict[str, Dict[str, int]] = told["sent"]
        self.refused: Optional[int] = told["refused"]  #: the status
        self.close_from_client: Optional[int] = told["close_from_client"]
        self.close_from_server: Optional[int] = told["close_from_server"]

    def _post(self, path: str, **body: object) -> None:
        self._control.ask("POST", f"sessions/{self.number}/{path}", body=body)

    def send(self, kind: str, **options: object) -> None:
        """Sends a message: the kind of a `send` step and its options."""
        self._post("send", kind=kind, options=options)

    def play(self, steps: str) -> None:
        """Plays steps of the script language, a line each."""
        self._post("send", steps=steps)

    def set_quirks(self, quirks: Quirks) -> None:
        self._post("quirks", quirks=" ".join(quirk_words(quirks)))

    def set_fault(self, fault: str) -> None:
        self._post("faults", fault=fault)

    def close(self, code: int = 1000, reason: str = "") -> None:
        self._post("close", code=code, reason=reason)

    def audio(self) -> bytes:
        """What the client has sent, as a WAV file."""
        return self._control.raw("GET", f"sessions/{self.number}/audio.wav")


@dataclass(frozen=True)
class Context:
    """What endpoints of one mock share."""

    home: Optional[Union[str, Path]] = None
    jwt_secret: Optional[str] = None


class Endpoint:
    def __init__(self, control: Control, told: Mapping[str, Any], context: Context) -> None:
        self._control = control
        self._context = context
        self.journal = Journal(control)
        self.family: str = told.get("family") or ""
        self.profile: str = told.get("profile") or ""
        self.key: str = told.get("key") or ""  #: of the families that have API keys
        #: the config_id, or the interview, that a client can ask for
        self.config: str = told.get("config") or (_INTERVIEW if self.family == "interview" else _CONFIG)
        #: where clients connect, without a query
        self.url: str = (told.get("url") or "").replace(_CONFIG_MARK, urllib.parse.quote(self.config, safe=""))

    @property
    def full_url(self) -> str:
        """With the query that its family asks for; of an interview with a token that is good for an hour."""
        if self.family == "interview":
            return f"{self.url}?token={self.token()}"
        if self.family == "duplex":
            return f"{self.url}?mode={'audio' if self.profile.endswith('audio') else 'video'}"
        return f"{self.url}?config_id={urllib.parse.quote(self.config, safe='')}"

    def token(self, kind: str = "valid") -> str:
        """A JSON Web Token of the interview family; kinds as `ojin-mock token --help` lists them."""
        words = [str(program_path("ojin-mock", self._context.home)), "token", kind]
        if self._context.jwt_secret is not None:
            words += ["--jwt-secret", self._context.jwt_secret]
        done = subprocess.run(words, stdout=subprocess.PIPE, check=True, timeout=_TOKEN_S)
        return done.stdout.decode().strip()

    def env(self) -> Dict[str, str]:
        """The variables that tell a client in a process of its own where to connect, as `ojin-mock exec` sets them."""
        if self.family == "duplex":
            return {"DUPLEX_URL": self.full_url}
        if self.family == "interview":
            return {"INTERVIEW_URL": self.url, "INTERVIEW_ID": self.config, "INTERVIEW_TOKEN": self.token()}
        return {"OJIN_URL": self.url, "OJIN_WS_URL": self.url, "OJIN_API_KEY": self.key, "OJIN_CONFIG_ID": self.config}

    def sessions(self) -> List[Session]:
        """All that are known, the latest first."""
        return [Session(self._control, told) for told in self._control.ask("GET", "sessions")["sessions"]]

    def session(self, number: int) -> Session:
        return Session(self._control, self._control.ask("GET", f"sessions/{number}"))

    def findings(
        self, *, notes: bool = False, session: Optional[int] = None, requirement: Optional[str] = None
    ) -> List[Finding]:
        """What clients did against the documents, so far; with `notes` also remarks that break nothing."""
        query: Dict[str, Union[str, int, None]] = {"session": session, "requirement": requirement}
        found = [Finding.of(told) for told in self._control.ask("GET", "findings", query)["findings"]]
        return [one for one in found if notes or not one.note]

    def assert_no_findings(self, except_: Collection[str] = ()) -> None:
        """Raises FindingsError unless there are none but those of the requirements in `except_`."""
        found = judged(self.findings(), except_)
        if found:
            raise FindingsError(found)

    def asked(self) -> bool:
        """Has a client asked to be let in, be it in vain?"""
        return int(self._control.ask("GET", "sessions")["requests"]) > 0

    def settled(self, timeout: float = 1.0) -> bool:
        """Waits until all of its sessions are over; False when some still are open after `timeout` seconds."""
        requests = self._control.ask("GET", "sessions")["requests"]
        if requests == 0:
            return True
        try:
            self.journal.wait_for("end", count=requests, timeout=timeout)
            return True
        except JournalTimeout:
            return bool(self._control.ask("GET", "sessions")["open"] == 0)

    def set_quirks(self, quirks: Quirks) -> None:
        """Of the next sessions."""
        self._control.ask("POST", "quirks", body={"quirks": " ".join(quirk_words(quirks))})

    def set_fault(self, fault: Optional[str]) -> None:
        """Of the next sessions; None: none any more."""
        if fault is None:
            self._control.ask("DELETE", "faults")
        else:
            self._control.ask("POST", "faults", body={"fault": fault})

    def reset(self) -> None:
        """Forgets journal, findings, and the quirks and faults that were set meanwhile."""
        self._control.ask("POST", "reset")
