"""Checks of the full-duplex family: what they tell apart, in memory and virtual time."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

CONFORM = pathlib.Path(os.environ["BIN_DIR"]) / "ojin-conform"
CASE = """case     duplex/test/checks
title    "A second of speech, silence, an error, a turn and an interruption"
expect   "As written"
clause   DX-APP-07 MUST
limit    30s

plan {
  wait         after=ready
  wait         1200ms
  speak        "hello-1s.wav"
  wait         after=sent
  wait         1200ms
  force-listen after=speech:1
  wait         after=listen:1
  close
}
server {
  accept
  serve  until=received:2
  send   error code=inference_error message="Once"
  serve  until=close
}
"""
# What holds, and what does not, of the same session.
HOLDS = (
    "some received:input_audio_buffer.append heard=true",
    "some received:input_audio_buffer.append heard=false",
    "given=sent:error[code=inference_error] some seen:error code=inference_error text=Once",
    "some seen:queue position=0",
    "some seen:delta",
    "some seen:cancelled",
    "given=seen:cancelled some received:session.close",
)
FAILS = (
    "some received:session.update heard=false",
    "some received:session.update heard=true",
    "some sent:error code=not_ready",
    "some seen:queue position=7",
    "some seen:delta samples=1",
)


class DuplexChecks(unittest.TestCase):
    def test_what_checks_tell_apart(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            checks = "".join(f"check c{n} MUST {text}\n" for n, text in enumerate(HOLDS + FAILS))
            (folder / "checks.session").write_text(CASE + checks, encoding="utf-8")
            said = subprocess.run([CONFORM, "run", "--family", "duplex", "--memory", "--inferred", "--cases", folder,
                                   "--json", folder / "report.json", "--out", folder / "out"],
                                  capture_output=True, text=True, check=False)
            (case,) = json.loads((folder / "report.json").read_text(encoding="utf-8"))["cases"]
        verdicts = {check["name"]: (check["verdict"], check["actual"]) for check in case["checks"]}
        for n, text in enumerate(HOLDS + FAILS):
            expected = "PASS" if n < len(HOLDS) else "FAIL"
            self.assertEqual(verdicts[f"c{n}"][0], expected, (text, verdicts[f"c{n}"], said.stdout))


if __name__ == "__main__":
    unittest.main()
