"""The same API for asyncio: each call of the sync one in a thread of its own, so that the loop goes on."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Callable, Collection, Dict, List, Mapping, Optional, Type, TypeVar, Union

from ojin_tools._endpoint import Endpoint, Quirks, Session
from ojin_tools._findings import Finding
from ojin_tools._journal import Entry, Filter, Journal
from ojin_tools._mock import AttachedMock, Mock, Scenario, attach_mock, start_mock

_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="AsyncEndpoint")
_THREADS = 64  # as many waits as a mock takes at a time
_pool: Optional[ThreadPoolExecutor] = None


async def _run(call: Callable[..., _T], *given: Any, **named: Any) -> _T:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(_THREADS, "ojin-tools")
    return await asyncio.get_running_loop().run_in_executor(_pool, partial(call, *given, **named))


class AsyncJournal:
    """Journal, awaited."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def entries(self, kind: Optional[str] = None, **filters: Filter) -> List[Entry]:
        return await _run(self._journal.entries, kind, **filters)

    async def count(self, kind: Optional[str] = None, **filters: Filter) -> int:
        return await _run(self._journal.count, kind, **filters)

    async def clear(self) -> None:
        await _run(self._journal.clear)

    async def wait_for(
        self, kind: Optional[str] = None, *, timeout: float = 5.0, count: int = 1, **filters: Filter
    ) -> Entry:
        return await _run(self._journal.wait_for, kind, timeout=timeout, count=count, **filters)


class AsyncSession:
    """Session, awaited; `sync` has what it was when it was asked for."""

    def __init__(self, session: Session) -> None:
        self.sync = session
        self.told = session.told
        self.number = session.number
        self.family = session.family
        self.state = session.state
        self.received = session.received
        self.sent = session.sent
        self.refused = session.refused
        self.close_from_client = session.close_from_client
        self.close_from_server = session.close_from_server

    async def send(self, kind: str, **options: object) -> None:
        await _run(self.sync.send, kind, **options)

    async def play(self, steps: str) -> None:
        await _run(self.sync.play, steps)

    async def set_quirks(self, quirks: Quirks) -> None:
        await _run(self.sync.set_quirks, quirks)

    async def set_fault(self, fault: str) -> None:
        await _run(self.sync.set_fault, fault)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        await _run(self.sync.close, code, reason)

    async def audio(self) -> bytes:
        return await _run(self.sync.audio)


class AsyncEndpoint:
    """Endpoint, awaited; `sync` is the one behind it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.sync = endpoint
        self.journal = AsyncJournal(endpoint.journal)
        self.url = endpoint.url
        self.family = endpoint.family
        self.profile = endpoint.profile
        self.key = endpoint.key
        self.config = endpoint.config

    @property
    def full_url(self) -> str:
        return self.sync.full_url

    def token(self, kind: str = "valid") -> str:
        return self.sync.token(kind)

    def env(self) -> Dict[str, str]:
        return self.sync.env()

    async def sessions(self) -> List[AsyncSession]:
        return [AsyncSession(one) for one in await _run(self.sync.sessions)]

    async def session(self, number: int) -> AsyncSession:
        return AsyncSession(await _run(self.sync.session, number))

    async def findings(
        self, *, notes: bool = False, session: Optional[int] = None, requirement: Optional[str] = None
    ) -> List[Finding]:
        return await _run(self.sync.findings, notes=notes, session=session, requirement=requirement)

    async def assert_no_findings(self, except_: Collection[str] = ()) -> None:
        await _run(self.sync.assert_no_findings, except_)

    async def asked(self) -> bool:
        return await _run(self.sync.asked)

    async def settled(self, timeout: float = 1.0) -> bool:
        return await _run(self.sync.settled, timeout)

    async def set_quirks(self, quirks: Quirks) -> None:
        await _run(self.sync.set_quirks, quirks)

    async def set_fault(self, fault: Optional[str]) -> None:
        await _run(self.sync.set_fault, fault)

    async def reset(self) -> None:
        await _run(self.sync.reset)

    async def _end(self) -> None:
        """At the end of an `async with`."""

    async def __aenter__(self: _Self) -> _Self:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self._end()


class AsyncScenario(AsyncEndpoint):
    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.id = scenario.id
        self._remove = scenario.remove

    async def remove(self) -> None:
        await _run(self._remove)

    async def _end(self) -> None:
        await self.remove()


class AsyncAttachedMock(AsyncEndpoint):
    def __init__(self, mock: AttachedMock) -> None:
        super().__init__(mock)
        self.urls = mock.urls
        self._scenario = mock.scenario

    async def scenario(self, **options: Any) -> AsyncScenario:
        """Options as AttachedMock.scenario has them."""
        return AsyncScenario(await _run(self._scenario, **options))


class AsyncMock(AsyncAttachedMock):
    def __init__(self, mock: Mock) -> None:
        super().__init__(mock)
        self.pid = mock.pid
        self.port = mock.port
        self.control_url = mock.control_url
        self.ca = mock.ca
        self.handle = mock.handle
        self._mock = mock

    @property
    def log(self) -> str:
        return self._mock.log

    async def stop(self) -> None:
        await _run(self._mock.stop)

    async def _end(self) -> None:
        await self.stop()


class _Starting:
    """`async with astart_mock() as mock`, or `mock = await astart_mock()`."""

    def __init__(self, options: Dict[str, Any]) -> None:
        self._options = options
        self._mock: Optional[AsyncMock] = None

    async def _start(self) -> AsyncMock:
        return AsyncMock(await _run(start_mock, **self._options))

    def __await__(self) -> Any:
        return self._start().__await__()

    async def __aenter__(self) -> AsyncMock:
        self._mock = await self._start()
        return self._mock

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._mock is not None:
            await self._mock.stop()


def astart_mock(**options: Any) -> _Starting:
    """start_mock for asyncio, with its options: `async with astart_mock(quirks="fade") as mock`."""
    return _Starting(options)


async def aattach_mock(mock: Union[str, Mapping[str, Any]]) -> AsyncAttachedMock:
    return AsyncAttachedMock(await _run(attach_mock, mock))
