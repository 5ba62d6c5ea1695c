#!/usr/bin/python3
"""A client that is turned away and comes again hears the same again over a real socket, in both families."""

import sys
import unittest

from runner_case import PYTHON, RunnerCase

# Tries three times, and prints what each time brought.
THREE_TIMES = """
import asyncio, os, sys, websockets
async def attempt(url, headers):
    try:
        async with websockets.connect(url, extra_headers=headers) as ws:
            heard = [await ws.recv()]
            try:
                while True:
                    heard.append(await ws.recv())
            except websockets.ConnectionClosed as closed:
                return "%s close %d" % (" ".join(heard), closed.code)
    except websockets.InvalidStatusCode as refused:
        return "HTTP %d" % refused.status_code
async def main():
    if os.environ.get("CONFORM_CASE", "").endswith("does-not-exist"):
        sys.exit(77)
    url, headers = os.environ.get("DUPLEX_URL", ""), {}
    if "OJIN_URL" in os.environ:
        url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"]
        headers = {"Authorization": os.environ["OJIN_API_KEY"]}
    else:
        url += "" if "?" in url else "?mode=video"
    for _ in range(3):
        print("heard", await attempt(url, headers), flush=True)
    sys.exit(1)
asyncio.run(main())
"""

CASE = """case     {family}/own/turned-away
title    "The client is turned away"
expect   "It says so"
clause   {clause} SHOULD
limit    10s

plan {{
  speak  "hello-1s.wav"
  end
}}
server {{
{steps}
}}
check    comes  SHOULD  count received:upgrade max=9
"""

WAYS = (
    ("ojin", "OJ-ERR-08", "  refuse status=429", "HTTP 429"),
    ("ojin", "OJ-ERR-08", "  accept any\n  send   text text=\"Model not found\"\n  close  code=1008", "Model not found close 1008"),
    ("ojin", "OJ-ERR-08", "  refuse status=401\n  wait   3s", "HTTP 401"),
    ("duplex", "DX-ERR-02", "  refuse status=403", "HTTP 403"),
    ("duplex", "DX-ERR-02", "  accept\n  send   text text=busy\n  close  code=1013", "busy close 1013"),
)


class TurnedAway(RunnerCase):
    def test_who_comes_again_hears_the_same(self):
        client = self.write("three.py", THREE_TIMES)
        for n, (family, clause, steps, heard) in enumerate(WAYS):
            with self.subTest(steps):
                cases = self.folder / f"cases-{n}"
                (cases / family / "own").mkdir(parents=True)
                (cases / family / "own" / "turned-away.session").write_text(CASE.format(family=family, clause=clause, steps=steps))
                out = self.folder / f"out-{n}"
                done, report = self.run_suite(
                    PYTHON, client, options=["--cases", cases, "--family", family, "--tier", "wire", "--out", out, "--keep"])
                text = "".join(path.read_text() for path in out.rglob("*stdout*"))
                self.assertEqual(text.count(f"heard {heard}\n"), 3, f"{text}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
