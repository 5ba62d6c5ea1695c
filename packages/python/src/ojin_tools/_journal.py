"""The journal of a mock or of a scenario: found, counted, waited for."""

import math
import time
from typing import Any, Dict, List, Optional, Union

from ojin_tools._control import Control, ControlError

Entry = Dict[str, Any]
Filter = Union[str, int, None]

_WAIT_ONCE_MAX = 60.0  # seconds, as the control interface takes it
_BUSY = 503  # as many wait already as can
_BUSY_PAUSE = 0.05
_MARGIN = 10.0
_SHOWN_SESSIONS = 5


class JournalTimeout(AssertionError):
    """The wait for entries ended without them; `found` were there."""

    def __init__(self, message: str, found: int) -> None:
        super().__init__(message)
        self.found = found


def _query(kind: Optional[str], filters: Dict[str, Filter]) -> Dict[str, Filter]:
    return {"what": kind, **filters}


def _shown(counts: Dict[str, Dict[str, int]]) -> str:
    each = [name if one["messages"] == 1 else f"{name} ({one['messages']})" for name, one in counts.items()]
    return ", ".join(each) or "nothing"


def _session_shown(session: Dict[str, Any]) -> str:
    state = [session["state"]]
    if session["refused"]:
        state.append(f"refused with {session['refused']}")
    if session["close_from_client"]:
        state.append(f"closed by the client with {session['close_from_client']}")
    if session["close_from_server"]:
        state.append(f"closed by the mock with {session['close_from_server']}")
    return (
        f"  session {session['session']} ({', '.join(state)}): "
        f"received {_shown(session['received'])}; sent {_shown(session['sent'])}"
    )


class Journal:
    """`kind` is what an entry is: a label ("audio"), a type ("cancelInteraction"), an event ("close") or a kind of
    entry ("finding"). Further filters are those of the control interface: session, family, direction, label, event,
    type, requirement, text, since, limit. All that is given has to hold."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def entries(self, kind: Optional[str] = None, **filters: Filter) -> List[Entry]:
        """Those that match, the oldest first."""
        found: List[Entry] = self._control.ask("GET", "journal", _query(kind, filters))["entries"]
        return found

    def count(self, kind: Optional[str] = None, **filters: Filter) -> int:
        return int(self._control.ask("GET", "journal/count", _query(kind, filters))["found"])

    def clear(self) -> None:
        self._control.ask("DELETE", "journal")

    def wait_for(self, kind: Optional[str] = None, *, timeout: float = 5.0, count: int = 1, **filters: Filter) -> Entry:
        """Waits until `count` entries match, those already there included, and gives the last of them.

        After `timeout` seconds it raises JournalTimeout, which says what was seen.
        """
        until = time.monotonic() + timeout
        while True:
            answer = self._wait_once(_query(kind, filters), count, min(until - time.monotonic(), _WAIT_ONCE_MAX))
            if answer is not None and answer["met"]:
                filters["limit"] = count
                return self.entries(kind, **filters)[count - 1]
            if time.monotonic() >= until:
                raise self._missed({"kind": kind, **filters}, count, timeout, answer["found"] if answer else 0)
            if answer is None:
                time.sleep(_BUSY_PAUSE)

    def _wait_once(self, query: Dict[str, Filter], count: int, seconds: float) -> Optional[Dict[str, Any]]:
        ms = max(math.ceil(seconds * 1000), 0)
        asked: Dict[str, Filter] = {**query, "count": count, "timeout": f"{ms}ms"}
        try:
            return self._control.ask("GET", "journal/wait", asked, timeout=ms / 1000 + _MARGIN)
        except ControlError as error:
            if error.status == _BUSY:
                return None
            raise

    def _missed(self, filters: Dict[str, Filter], count: int, timeout: float, found: int) -> JournalTimeout:
        sessions = self._control.ask("GET", "sessions")["sessions"]
        if filters.get("session") is not None:
            sessions = [one for one in sessions if one["session"] == filters["session"]]
        lines = [_session_shown(one) for one in reversed(sessions[:_SHOWN_SESSIONS])]
        wanted = "no entry" if count == 1 else f"{found} of {count} entries"
        asked = ", ".join(f"{name}={value!r}" for name, value in filters.items() if value is not None) or "at all"
        seen = "seen instead:\n" + "\n".join(lines) if lines else "no session has come yet"
        return JournalTimeout(f"journal: {wanted} {asked} within {timeout:g} s; {seen}", found)
