"""pytest: a mock for the session, a scenario of it for each test, and tests that fail with the findings of their client.

    def test_cancel(ojin_session):
        run_my_client(ojin_session.full_url, ojin_session.key)
        ojin_session.journal.wait_for("cancelInteraction", timeout=2)

    @pytest.mark.ojin(quirk="speech-rate=40")
    def test_slow_speech(ojin_session): ...
"""

import json
import os
from typing import Any, Callable, Dict, Generator, Iterator, List, Optional, TypeVar

import pytest

from ojin_tools._aio import AsyncScenario
from ojin_tools._control import ControlError
from ojin_tools._endpoint import quirk_words
from ojin_tools._findings import Finding, FindingsError, Judge, judged
from ojin_tools._mock import AttachedMock, Scenario, attach_mock, start_mock

MOCK_VARIABLE = "OJIN_TOOLS_MOCK"
_BEHAVIOUR = ("script", "fault", "card", "family", "profile", "key", "config", "seed")
_NAMES = ("quirk", "quirks", *_BEHAVIOUR, "findings", "expect_connection", "settle")
_SETTLE_S = 1.0
_SESSION = "ojin_session"
_NOBODY = (
    "no client connected to {url} in this test, so it shows nothing of the client. Does the client take the test's own "
    "url? @pytest.mark.ojin(expect_connection=False) is for a test without a client"
)

_OWN = ("the client broke ", "no client connected ")  # how this plugin's own failures begin

_Hook = TypeVar("_Hook", bound=Callable[..., Any])
_last: Callable[[_Hook], _Hook] = pytest.hookimpl(trylast=True)
_around: Callable[[_Hook], _Hook] = pytest.hookimpl(hookwrapper=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("ojin_findings", "fail a test when its client broke a requirement", type="bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "ojin(quirk=, fault=, card=, script=, family=, profile=, key=, config=, seed=, findings=, expect_connection=, "
        "settle=): "
        "what the scenario of ojin_session does. findings=False: no finding fails the test; "
        "findings=[…]: these requirements may be broken; expect_connection=False: no client has to connect",
    )


def _options(item: pytest.Item) -> Dict[str, Any]:
    """What the markers say, those of the test before those of its class and module."""
    options: Dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("ojin"))):
        wrong = [*map(repr, marker.args), *(name for name in marker.kwargs if name not in _NAMES)]
        if wrong:
            expected = ", ".join(_NAMES)
            pytest.fail(f"marker ojin: unexpected {wrong[0]}; expected names of {expected}", pytrace=False)
        options.update(marker.kwargs)
    return options


@pytest.fixture(scope="session")
def ojin_mock_options() -> Dict[str, Any]:
    """The options of start_mock for ojin_mock; define your own to change them."""
    return {}


@pytest.fixture(scope="session")
def ojin_mock(ojin_mock_options: Dict[str, Any]) -> Iterator[AttachedMock]:
    """The mock that OJIN_TOOLS_MOCK names (a control URL, or the JSON of mock.handle()); else one of its own."""
    given = os.environ.get(MOCK_VARIABLE)
    if given:
        yield attach_mock(json.loads(given) if given.startswith("{") else given)
        return
    options: Dict[str, Any] = {"size": "320x240", **ojin_mock_options}
    with start_mock(**options) as mock:
        yield mock


@pytest.fixture
def ojin_session(request: pytest.FixtureRequest, ojin_mock: AttachedMock) -> Iterator[Scenario]:
    """A scenario for this test alone."""
    options = _options(request.node)
    words = [word for name in ("quirks", "quirk") for word in quirk_words(options.get(name))]
    behaviour = {name: options[name] for name in _BEHAVIOUR if name in options}
    refused = None
    try:
        scenario = ojin_mock.scenario(quirks=words, **behaviour)
    except ControlError as error:
        if error.status is None:  # the mock is gone
            raise
        refused = str(error)
    if refused is not None:
        pytest.fail(f"marker ojin: {refused}", pytrace=False)
    with scenario:
        yield scenario


@pytest.fixture
def ojin_async_session(ojin_session: Scenario) -> AsyncScenario:
    """ojin_session for tests that await."""
    return AsyncScenario(ojin_session)


def _scenario(item: pytest.Item) -> Optional[Scenario]:
    scenario = getattr(item, "funcargs", {}).get(_SESSION)
    return scenario if isinstance(scenario, Scenario) else None


def _findings(item: pytest.Item, scenario: Scenario) -> List[Finding]:
    """Those that fail the test."""
    judge: Judge = _options(item).get("findings", item.config.getini("ojin_findings"))
    return [] if judge is False else judged(scenario.findings(), judge)


def _wrong(item: pytest.Item, settle: Optional[float] = None) -> Optional[str]:
    """What fails the test, but for the test itself."""
    scenario = _scenario(item)
    if scenario is None:
        return None
    options = _options(item)
    scenario.settled(options.get("settle", _SETTLE_S) if settle is None else settle)
    if options.get("expect_connection", True) and not scenario.asked():
        return _NOBODY.format(url=scenario.url)
    found = _findings(item, scenario)
    return str(FindingsError(found)) if found else None


@_last
def pytest_runtest_call(item: pytest.Item) -> None:
    """After a test that has passed so far."""
    __tracebackhide__ = True
    wrong = _wrong(item)
    if wrong is not None:
        pytest.fail(wrong, pytrace=False)


@_around
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    """A test that has failed shows that too: it often is the cause."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()
    if report.when != "call" or not report.failed or call.excinfo is None:
        return
    if call.excinfo.errisinstance(pytest.fail.Exception) and str(call.excinfo.value).startswith(_OWN):
        return
    try:
        wrong = _wrong(item, settle=0)
    except Exception as error:  # the mock may be what has failed
        wrong = str(error)
    if wrong is not None:
        report.sections.append(("findings of ojin_session", wrong))
