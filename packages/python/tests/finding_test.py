"""Fails twice: by a finding alone, and by an assertion with the finding shown beside it."""
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
