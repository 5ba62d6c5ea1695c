"""What a program with types may say; checked by mypy, not run."""
from typing import List

import ojin_tools.pytest_plugin  # noqa: F401: checked with the rest
import pytest
from ojin_tools import AsyncScenario, Finding, Scenario, aattach_mock, astart_mock, attach_mock, start_mock


@pytest.mark.ojin(quirk="fade", findings=["OJ-CON-02"], expect_connection=False)
def test_scenario(ojin_session: Scenario, ojin_async_session: AsyncScenario) -> None:
    ojin_session.journal.wait_for("cancelInteraction", timeout=2, session=1)
    found: List[Finding] = ojin_session.findings(requirement="OJ-CON-02")
    sound: bytes = ojin_session.sessions()[0].audio()
    print(found[0].text, sound, ojin_async_session.full_url)


def by_hand() -> str:
    with start_mock(profile=["oris-1.0", "audio"], quirks={"fade": True}, family=["ojin", "duplex"]) as mock:
        with mock.scenario(card="mock.drop=10") as scenario:
            return scenario.url + attach_mock(mock.handle()).scenario().id


async def awaited() -> int:
    async with astart_mock(size="320x240") as mock:
        async with await mock.scenario(fault="drop=10") as scenario:
            await scenario.journal.wait_for("audio", count=3)
        return (await (await aattach_mock(mock.control_url)).sessions())[0].number


start_mock(family=3)  # type: ignore[arg-type]
