"""Fails by a finding alone, by an assertion with the finding shown beside it, and by clients that never connect."""
import asyncio

import pytest
from client import SpeechClient

pytestmark = pytest.mark.ojin(quirk="bearer-keys")


def speak(ojin):
    async def talk():
        client = await SpeechClient.open(ojin.full_url, "Bearer " + ojin.key)
        await client.close()

    asyncio.run(talk())


def test_speaks(ojin_session):
    speak(ojin_session)


@pytest.mark.ojin(findings=False)
def test_is_not_judged(ojin_session):
    speak(ojin_session)


def test_fails(ojin_session):
    speak(ojin_session)
    assert ojin_session.key == "the reason of the test"


@pytest.mark.ojin(quirq="fade")
def test_has_a_marker_with_a_mistake(ojin_session):
    pass


@pytest.mark.ojin(quirk="speech-rate=fast")
def test_has_a_quirk_with_a_wrong_value(ojin_session):
    pass


def test_never_connects(ojin_session):
    assert ojin_session.full_url


def test_never_connects_and_awaits(ojin_async_session):
    async def talk(ojin):
        assert not await ojin.asked()

    asyncio.run(talk(ojin_async_session))


@pytest.mark.ojin(expect_connection=False)
def test_has_no_client(ojin_session):
    assert not ojin_session.asked()


@pytest.mark.ojin(expect_connection=False)
def test_has_no_client_and_awaits(ojin_async_session):
    assert ojin_async_session.full_url


@pytest.mark.ojin(quirk=[], findings=["OJ-CON-02"])
def test_is_refused(ojin_session):
    with pytest.raises(Exception, match="401"):
        asyncio.run(SpeechClient.open(ojin_session.full_url, "another-key"))


def test_breaks_before_it_connects(ojin_session):
    raise RuntimeError("the reason of this test")
