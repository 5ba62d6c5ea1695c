"""Requests to the control interface of a mock."""

import http.client
import json
import ssl
import urllib.parse
from typing import Any, Callable, Dict, Mapping, Optional, Union

Query = Mapping[str, Union[str, int, None]]
_ANSWER_S = 10.0


class ControlError(Exception):
    """What a mock refused, with its status; `line` and `column` are those of a mistake in a script."""

    def __init__(self, message: str, status: Optional[int] = None, answer: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.status = status
        self.line: Optional[int] = (answer or {}).get("line")
        self.column: Optional[int] = (answer or {}).get("column")


def _never_gone() -> Optional[str]:
    return None


class Control:
    """The interface below one address: the mock's own, or that of a scenario.

    `base` ends with "/". `gone()` gives a sentence when the mock has ended, else None.
    """

    def __init__(self, base: str, ca: Optional[str] = None, gone: Callable[[], Optional[str]] = _never_gone) -> None:
        self.base = base
        self.ca = ca
        self.gone = gone

    def below(self, base: str) -> "Control":
        return Control(base, self.ca, self.gone)

    def raw(
        self,
        method: str,
        path: str,
        query: Optional[Query] = None,
        body: Optional[Mapping[str, Any]] = None,
        timeout: float = _ANSWER_S,
    ) -> bytes:
        given = {name: str(value) for name, value in (query or {}).items() if value is not None}
        url = urllib.parse.urljoin(self.base, path) + ("?" + urllib.parse.urlencode(given) if given else "")
        try:
            status, data = self._exchange(method, url, body, timeout)
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            raise ControlError(self.gone() or f"the mock does not answer at {url}: {reason}") from None
        if status < 400:
            return data
        try:
            said = json.loads(data)
        except ValueError:
            said = {"error": data.decode(errors="replace")}
        where = urllib.parse.urlsplit(url).path
        raise ControlError(f"the mock refused {method} {where}: {said['error']}", status, said)

    def ask(
        self,
        method: str,
        path: str,
        query: Optional[Query] = None,
        body: Optional[Mapping[str, Any]] = None,
        timeout: float = _ANSWER_S,
    ) -> Dict[str, Any]:
        answer: Dict[str, Any] = json.loads(self.raw(method, path, query, body, timeout))
        return answer

    def _exchange(self, method: str, url: str, body: Optional[Mapping[str, Any]], timeout: float) -> "tuple[int, bytes]":
        parts = urllib.parse.urlsplit(url)
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            context = ssl.create_default_context(cafile=self.ca)
            connection = http.client.HTTPSConnection(parts.netloc, timeout=timeout, context=context)
        else:
            connection = http.client.HTTPConnection(parts.netloc, timeout=timeout)
        try:
            target = parts.path + ("?" + parts.query if parts.query else "")
            connection.request(method, target, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()
