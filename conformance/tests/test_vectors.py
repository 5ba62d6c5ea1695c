#!/usr/bin/python3
"""`ojin-conform vectors`: what they say is what an independent reader finds, and what the Python client's parser does."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import vector_reader
from runner_case import BIN, SOURCE, RunnerCase

sys.path.insert(0, str(SOURCE / "conformance/clients/python"))
import duplex_wire  # noqa: E402
import wire  # noqa: E402
from messages import BadAudio  # noqa: E402

SIDES = ("client", "server")


def vectors(*words):
    done = subprocess.run([BIN / "ojin-conform", "vectors", *words], capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def plain(decoded):
    """What stands in JSON text, as what it means, so that white space in it is none."""
    return {name: json.loads(value) if name.endswith("_json") else value for name, value in decoded.items()}


class Vectors(RunnerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.all = vectors()

    def test_an_independent_reader_finds_what_each_says(self):
        agreed = {True: 0, False: 0}
        for vector in self.all:
            with self.subTest(family=vector["family"], name=vector["name"]):
                try:
                    found = vector_reader.read(vector)
                except vector_reader.Refused as refused:
                    self.assertFalse(vector["valid"], f"an independent reader refuses {refused}")
                    agreed[False] += 1
                    continue
                self.assertTrue(vector["valid"], f"{vector['sentence']}, and an independent reader finds {found}")
                told = {name: value for name, value in vector["decoded"].items() if not name.endswith("_json")}
                if found.get("type") in ("errorResponse", "error") or vector["family"] == "ojin":
                    found.pop("details", None)
                self.assertEqual(told, found)
                agreed[True] += 1
        self.assertGreater(agreed[True], 600)
        self.assertGreater(agreed[False], 1800)

    def test_an_independent_reader_finds_what_each_changed_one_says(self):
        wanted = ("--changed", "8", "--seed", "7")
        changed = [one for one in vectors(*wanted) if one["name"].startswith("changed ")]
        agreed = {(one["kind"], valid): 0 for one in self.all for valid in (True, False)}
        for vector in changed:
            told = {name: value for name, value in (vector["decoded"] or {}).items() if not name.endswith("_json")}
            try:
                found = vector_reader.read(vector)
            except vector_reader.Refused:
                found = None
            if found is not None and (found.get("type") in ("errorResponse", "error") or vector["family"] == "ojin"):
                found.pop("details", None)
            if vector["valid"] != (found is not None) or (found is not None and told != found):
                self.fail(f"{vector}, and an independent reader finds {found}")
            agreed[vector["kind"], vector["valid"]] += 1
        self.assertEqual(len({(one["family"], one["name"]) for one in changed}), len(changed))
        self.assertEqual(changed, [one for one in vectors(*wanted) if one["name"].startswith("changed ")])
        for (kind, valid), count in agreed.items():
            self.assertGreater(count, 10, f"{kind}, valid: {valid}")

    def test_a_kind_alone_and_another_seed(self):
        frames = vectors("--family", "ojin", "--kind", "frame", "--changed", "3")
        self.assertEqual({one["kind"] for one in frames}, {"frame"})
        self.assertEqual([one for one in frames if not one["name"].startswith("changed ")], [one for one in self.all if one["kind"] == "frame"])
        self.assertEqual(len(frames), 4 * sum(one["kind"] == "frame" for one in self.all))
        other = vectors("--family", "ojin", "--kind", "frame", "--changed", "3", "--seed", "2")
        self.assertGreater(len({one["hex"] for one in other} - {one["hex"] for one in frames}), len(frames) / 2)
        done = subprocess.run([BIN / "ojin-conform", "vectors", "--kind", "frames"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, "expected frame, input or text" in done.stderr), (2, True), done.stderr)

    def test_what_stays_json_is_what_stood_there(self):
        kept = [one for one in self.all if any(name.endswith("_json") for name in one["decoded"] or {})]
        for vector in kept:
            message = json.loads(bytes.fromhex(vector["hex"]))
            for name, value in plain(vector["decoded"]).items():
                if name.endswith("_json"):
                    self.assertEqual(value, message[name.removesuffix("_json")], vector["name"])
        self.assertGreater(len(kept), 100)

    def test_there_are_right_and_wrong_ones_of_every_message(self):
        types = {
            "ojin": {"sessionReady", "errorResponse", "endInteraction", "cancelInteraction"},
            "duplex": {
                "session.update", "input_audio_buffer.append", "session.close", "session.queued", "session.queue_update",
                "session.created", "response.output_audio.delta", "response.listen", "session.closed", "error",
            },
            "interview": {"audio_chunk", "ai_audio_chunk", "transcript", "function_result", "error", "status"},
        }  # fmt: skip
        for family, names in types.items():
            for valid in (True, False):
                met = {(one["decoded"] or {}).get("type") for one in self.all if one["family"] == family and one["valid"] is valid}
                self.assertLessEqual(names, met, f"{family}, valid: {valid}")
        for valid in (True, False):
            kinds = {(one["kind"], one["from"]) for one in self.all if one["family"] == "ojin" and one["valid"] is valid}
            self.assertEqual(kinds, {("frame", "server"), ("input", "client"), ("text", "server"), ("text", "client")})

    def test_names_differ_and_every_requirement_is_one(self):
        self.assertEqual(len({(one["family"], one["name"]) for one in self.all}), len(self.all))
        table = (SOURCE / "codec/rules/requirements.tsv").read_text().splitlines()
        known = {line.split("\t")[0] for line in table}
        for vector in self.all:
            self.assertIn(vector["requirement"], known | {None})
            self.assertEqual(vector["valid"], vector["error"] is None)
            self.assertEqual(vector["valid"], vector["sentence"] is None)

    def test_the_python_clients_parser_takes_the_right_ones_and_refuses_the_wrong(self):
        tried = 0
        for vector in self.all:
            data = bytes.fromhex(vector["hex"])
            with self.subTest(vector["name"]):
                if vector["kind"] == "frame":
                    tried += 1
                    if vector["valid"]:
                        frame = wire.parse_frame(data)
                        audio = vector["decoded"]["audio"]
                        self.assertEqual((frame.index, str(frame.interaction)), (vector["decoded"]["index"], vector["decoded"]["interaction"]))
                        self.assertEqual(None if frame.audio is None else len(frame.audio), audio and audio["bytes"])
                    else:
                        self.assertRaises(wire.BadFrame, wire.parse_frame, data)
                elif vector["profile"] == "video" and (vector["decoded"] or {}).get("type") == "response.output_audio.delta":
                    _, message = duplex_wire.parse_message(duplex_wire.DOCUMENTED, data.decode())
                    if vector["valid"]:
                        tried += 1
                        self.assertEqual(len(duplex_wire.float_sound_of(message)), vector["decoded"]["audio"]["bytes"])
                    elif vector["field"] == "audio" and message.get("audio") is not None:
                        tried += 1
                        self.assertRaises(BadAudio, duplex_wire.float_sound_of, message)
        self.assertGreater(tried, 70)

    def test_a_folder_holds_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([BIN / "ojin-conform", "vectors", "--family", "ojin", "--format", "dir", "--out", folder], timeout=60, check=True)
            index = [line.split("\t") for line in (pathlib.Path(folder) / "index.tsv").read_text().splitlines()]
            wanted = [one for one in self.all if one["family"] == "ojin"]
            self.assertEqual([row[4] for row in index], [one["name"] for one in wanted])
            for (file, verdict, kind, side, _), vector in zip(index, wanted):
                self.assertEqual((verdict == "valid", kind, side), (vector["valid"], vector["kind"], vector["from"]))
                self.assertEqual((pathlib.Path(folder) / f"{file}.bin").read_bytes().hex(), vector["hex"])
                self.assertEqual(json.loads((pathlib.Path(folder) / f"{file}.json").read_text()), vector)
                lines = (pathlib.Path(folder) / f"{file}.fields").read_text()
                if vector["kind"] == "frame" and vector["valid"]:
                    self.assertIn(f"\nindex {vector['decoded']['index']}\n", lines)

    def test_what_is_wrong_with_the_words_is_said(self):
        for words, said in (
            (["--format", "xml"], "expected jsonl or dir"),
            (["--family", "none"], "expected ojin, duplex or interview"),
            (["--format", "dir"], "expected --out FOLDER"),
            (["more"], "expected options alone"),
        ):
            done = subprocess.run([BIN / "ojin-conform", "vectors", *words], capture_output=True, text=True, timeout=30, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)
        full = subprocess.run([BIN / "ojin-conform", "vectors", "--out", "/dev/full"], capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual((full.returncode, bool(re.search("cannot write /dev/full: No space", full.stderr))), (3, True), full.stderr)


if __name__ == "__main__":
    unittest.main()
