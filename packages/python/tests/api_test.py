"""The API, against mocks of its own."""
import asyncio
import dataclasses
import json
import os
import signal
import subprocess

import ojin_tools
import pytest
import websockets
from client import SpeechClient
from ojin_tools import ControlError, FindingsError, JournalTimeout, MockFailed, ProgramMissing, start_mock
from ojin_tools._findings import judged

SMALL = {"size": "320x240"}


@pytest.fixture(scope="module")
def mock():
    with start_mock(profile="oris-1.0", quirks={"speech-rate": 40}, key="key-of-this-test", **SMALL) as mock:
        yield mock


def home_with(folder, text, mode=0o755):
    """A folder like a bundle, with a program in place of the mock."""
    program = folder / "bin" / "ojin-mock"
    program.parent.mkdir()
    program.write_text(text)
    program.chmod(mode)
    return folder


async def opened(endpoint):
    return await SpeechClient.open(endpoint.full_url, endpoint.key)


async def visit(endpoint, key=None):
    client = await SpeechClient.open(endpoint.full_url, key or endpoint.key)
    await client.close()


class TestMocksThatDoNotStart:
    def test_missing(self):
        with pytest.raises(ProgramMissing, match="ojin-mock is missing: there is no /nowhere/bin/ojin-mock"):
            start_mock(home="/nowhere")

    def test_no_program(self, tmp_path):
        with pytest.raises(ProgramMissing, match="not executable"):
            start_mock(home=home_with(tmp_path, "x", 0o644))
        (tmp_path / "bin" / "ojin-mock").chmod(0o755)
        with pytest.raises(MockFailed, match="could not be started"):
            start_mock(home=tmp_path)

    def test_wrong_options(self):
        with pytest.raises(MockFailed, match=r"(?s)exit status 2.*It said:.*no-such-quirk"):
            start_mock(quirks="no-such-quirk")

    def test_not_ready_in_time(self, tmp_path):
        home = home_with(tmp_path, "#!/bin/sh\necho waiting for a disk >&2\nexec sleep 60\n")
        with pytest.raises(MockFailed, match=r"(?s)not ready within 0.5 s.*waiting for a disk"):
            start_mock(home=home, ready_timeout=0.5)

    def test_a_script_with_a_mistake(self):
        with pytest.raises(ControlError) as caught:
            start_mock(script="accept\nserv", **SMALL)
        assert (caught.value.status, caught.value.line) == (400, 2)


def test_says_what_it_is(mock):
    assert (mock.family, mock.profile, mock.key) == ("ojin", "oris-1.0", "key-of-this-test")
    assert mock.url == f"ws://127.0.0.1:{mock.port}/realtime"
    assert list(mock.urls) == ["ojin", "duplex", "interview"]


def test_sessions_can_be_reached_into(mock):
    async def talk():
        client = await opened(mock)
        session = mock.sessions()[0]
        assert (session.state, session.told["quirks"]) == ("open", {"speech-rate": 40})
        session.send("error", code="INTERNAL_ERROR")
        await client.speak()
        assert (await client.message("errorResponse"))["code"] == "INTERNAL_ERROR"
        mock.journal.wait_for("audio", session=session.number)
        assert session.audio().startswith(b"RIFF")
        session.close(4001, "enough")
        with pytest.raises(websockets.ConnectionClosed) as caught:
            await client.message("never")
        assert caught.value.code == 4001

    asyncio.run(talk())


def test_a_wait_that_is_in_vain_says_what_was_seen(mock):
    with mock.scenario() as one:
        with pytest.raises(JournalTimeout, match="no session has come yet"):
            one.journal.wait_for("cancelInteraction", timeout=0.01)
        asyncio.run(visit(one))
        expected = (
            r"no entry kind='cancelInteraction' within 0.05 s; seen instead:\n"
            r"  session 1 \(.*\): received upgrade.*; sent .*ready"
        )
        with pytest.raises(JournalTimeout, match=expected):
            one.journal.wait_for("cancelInteraction", timeout=0.05)
        assert one.settled()
    with pytest.raises(ControlError) as caught:
        one.sessions()
    assert caught.value.status == 404


def test_scenarios_see_nothing_of_each_other(mock):
    async def talk(scenarios):
        clients = await asyncio.gather(*map(opened, scenarios))
        await clients[0].cancel()
        await asyncio.gather(*(client.close() for client in clients))

    scenarios = [mock.scenario() for _ in range(4)]
    asyncio.run(talk(scenarios))
    scenarios[0].journal.wait_for(type="cancelInteraction")
    assert [len(one.sessions()) for one in scenarios] == [1, 1, 1, 1]
    assert [one.journal.count("cancelInteraction") for one in scenarios] == [1, 0, 0, 0]
    assert len({one.key for one in scenarios}) == 4


def test_findings_have_the_text_that_the_mock_prints(mock):
    with mock.scenario(quirks="bearer-keys") as one:
        asyncio.run(visit(one, "Bearer " + one.key))
        one.settled()
        finding = one.findings(requirement="OJ-CON-02")[0]
        assert finding.text.startswith(
            f"OJ-CON-02 MUST: expected {finding.expected}; got {finding.actual} (connection 1, "
        )
        with pytest.raises(FindingsError) as caught:
            one.assert_no_findings()
        assert finding in caught.value.findings and finding.text in str(caught.value)
        one.assert_no_findings({found.requirement for found in one.findings()})
        nameless = dataclasses.replace(finding, requirement=None)
        assert judged([finding, nameless], "OJ-CON-02") == [nameless]


@pytest.mark.parametrize(("family", "requirement"), [("duplex", "DX-CON-01"), ("interview", "IV-CON-01")])
def test_the_other_families(mock, family, requirement):
    async def talk(url):
        async with websockets.connect(url, max_size=None) as ws:
            await ws.recv()

    with mock.scenario(family=family) as one:
        asyncio.run(talk(one.full_url))
        assert one.settled()
        assert one.session(1).family == family
        assert one.findings(requirement=requirement) == []
        assert all(name.startswith(family.upper()) for name in one.env())


def test_another_process_attaches_to_it(mock):
    assert ojin_tools.attach_mock(json.loads(json.dumps(mock.handle()))).url == mock.url
    with ojin_tools.attach_mock(mock.control_url).scenario() as one:
        asyncio.run(visit(one))
        one.settled()
        assert one.findings() == []


def test_a_script_is_played_at_the_url_of_the_mock():
    async def talk(mock):
        async with websockets.connect(mock.full_url, extra_headers={"Authorization": mock.key}) as ws:
            assert await ws.recv() == "mine"

    with start_mock(script='accept\nsend text text="mine"\nclose code=4002', **SMALL) as mock:
        asyncio.run(talk(mock))
        mock.journal.wait_for("end")
    mock.stop()
    with pytest.raises(ControlError, match="the mock was stopped already"):
        mock.sessions()


def test_a_mock_that_is_gone_is_told():
    mock = start_mock(**SMALL)
    os.kill(mock.pid, signal.SIGKILL)
    with pytest.raises(ControlError, match="has ended|does not answer"):
        while True:
            mock.sessions()
    mock.stop()


def test_wss_is_served():
    with start_mock(tls=True, **SMALL) as mock:
        assert mock.url.startswith("wss:")
        assert mock.sessions() == []


def test_asyncio():
    async def talk():
        async with ojin_tools.astart_mock(**SMALL) as mock:
            async with await mock.scenario(quirks="fade") as one:
                client = await opened(one)
                wait = asyncio.ensure_future(one.journal.wait_for("cancelInteraction"))
                await client.cancel()
                assert (await wait)["from"] == "client"
                assert [session.state for session in await one.sessions()] == ["open"]
                await client.close()
                assert await one.settled()
                await one.assert_no_findings()
            await mock.set_fault("drop=10")
            await mock.set_fault(None)
            await mock.reset()
            same = await ojin_tools.aattach_mock(mock.handle())
            assert same.url == mock.url
        with pytest.raises(ControlError):
            await mock.sessions()

    asyncio.run(talk())


def test_a_program_of_the_package():
    words = [ojin_tools.program_path("ojin-mock"), "--version"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.startswith("ojin-mock ")
