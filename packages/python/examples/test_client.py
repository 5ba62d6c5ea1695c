import asyncio
import os
import subprocess
import sys

import pytest
from client import SpeechClient


def test_a_program_under_test(ojin_session):
    environment = {**os.environ, **ojin_session.env()}
    subprocess.run([sys.executable, "client.py"], env=environment, check=True, timeout=60)
    ojin_session.journal.wait_for("cancelInteraction", timeout=2)


def test_a_cancel_reaches_the_server(ojin_async_session):
    async def talk(ojin):
        client = await SpeechClient.open(ojin.full_url, ojin.key)
        await client.speak()
        await ojin.journal.wait_for("speech")
        await client.cancel()
        await ojin.journal.wait_for("cancelInteraction", timeout=2)
        await client.close()

    asyncio.run(talk(ojin_async_session))


@pytest.mark.ojin(script="accept\nserve until=speech:3\nsend error code=INTERNAL_ERROR\nserve", quirk="speech-rate=40")
def test_an_error_of_the_server_is_seen(ojin_async_session):
    async def talk(ojin):
        client = await SpeechClient.open(ojin.full_url, ojin.key)
        await client.speak()
        assert (await client.message("errorResponse"))["code"] == "INTERNAL_ERROR"
        await client.close()

    asyncio.run(talk(ojin_async_session))


@pytest.mark.ojin(findings=["OJ-CON-02"])  # what this one does wrong is wanted
def test_a_key_with_a_scheme_in_front_is_refused(ojin_session):
    with pytest.raises(Exception, match="401"):
        asyncio.run(SpeechClient.open(ojin_session.full_url, "Bearer " + ojin_session.key))
