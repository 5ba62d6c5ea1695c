"""Stand-ins for realtime speech services, as tests of a client use them. Times are in seconds.

    with start_mock(quirks="speech-rate=40") as mock:
        run_my_client(mock.url, mock.key)
        mock.journal.wait_for("cancelInteraction", timeout=2)
        mock.assert_no_findings()
"""

from ojin_tools._aio import (
    AsyncAttachedMock,
    AsyncEndpoint,
    AsyncJournal,
    AsyncMock,
    AsyncScenario,
    AsyncSession,
    aattach_mock,
    astart_mock,
)
from ojin_tools._control import ControlError
from ojin_tools._endpoint import Endpoint, Quirks, Session
from ojin_tools._findings import Finding, FindingsError
from ojin_tools._home import ProgramMissing, bundle_home, program_path
from ojin_tools._journal import Entry, Journal, JournalTimeout
from ojin_tools._mock import AttachedMock, Mock, Scenario, attach_mock, start_mock
from ojin_tools._process import MockFailed

__all__ = [
    "AsyncAttachedMock",
    "AsyncEndpoint",
    "AsyncJournal",
    "AsyncMock",
    "AsyncScenario",
    "AsyncSession",
    "AttachedMock",
    "ControlError",
    "Endpoint",
    "Entry",
    "Finding",
    "FindingsError",
    "Journal",
    "JournalTimeout",
    "Mock",
    "MockFailed",
    "ProgramMissing",
    "Quirks",
    "Scenario",
    "Session",
    "aattach_mock",
    "astart_mock",
    "attach_mock",
    "bundle_home",
    "program_path",
    "start_mock",
]
