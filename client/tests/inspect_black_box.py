"""ojin-client decode and encode as programs: golden vectors, journals of a mock, and mistakes.

Everything is judged by order and content, never by time. BIN_DIR and SOURCE_DIR name the programs and the tree.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zlib

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
CLIENT = BIN / "ojin-client"
MOCK = BIN / "ojin-mock"
WAIT_S = 60


# Opens the stream and writes the first frame to standard output.
FIRST_FRAME = """
import asyncio, os, sys, websockets
async def main():
    url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"]
    head = {"Authorization": os.environ["OJIN_API_KEY"]}
    async with websockets.connect(url, extra_headers=head, max_size=None) as ws:
        await ws.recv()
        await ws.send(bytes([1]) + bytes(12 + 1280))
        sys.stdout.buffer.write(await ws.recv())
asyncio.run(main())
"""


def run(*words, data=b""):
    return subprocess.run([CLIENT, *words], input=data, capture_output=True, timeout=WAIT_S, check=False)


def vectors(kind):
    return json.loads((SOURCE / f"fixtures/vectors/{kind}s.json").read_text())


class Vectors(unittest.TestCase):
    def test_each_tenth_vector_comes_back_byte_for_byte_and_its_exit_tells_whether_it_is_right(self):
        for kind in ("frame", "input", "text"):
            for vector in vectors(kind)[::10]:
                with self.subTest(kind=kind, name=vector["name"]):
                    message = bytes.fromhex(vector["hex"])
                    decoded = run("decode", f"--{kind}", data=message)
                    said = json.loads(decoded.stdout)
                    self.assertEqual(decoded.returncode, 1 if "error" in said else 0)
                    if not vector["valid"]:
                        self.assertEqual(said["error"]["status"], vector["error"])
                    self.assertEqual(run("encode", "-", data=decoded.stdout).stdout, message)
                    self.assertEqual(run("encode", "--hex", data=decoded.stdout).stdout.decode().strip(), vector["hex"])

    def test_hex_on_the_command_line_is_the_message(self):
        done = run("decode", "--hex", "01 0000018bcfe5687b 00000000\n3412")
        said = json.loads(done.stdout)
        self.assertEqual((done.returncode, said["kind"], said["timestamp_ms"]), (0, "input", 1700000000123))
        self.assertEqual(said["audio"]["crc32"], f"{zlib.crc32(bytes([0x34, 0x12])):08x}")


class Journals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.journal = pathlib.Path(cls.folder.name) / "session.jsonl"
        speech = SOURCE / "fixtures/speech/hello-1s.wav"
        client = [CLIENT, "speak", speech, "--no-video", "--quiet"]
        subprocess.run(
            [MOCK, "exec", "--size", "320x240", "--journal", cls.journal, "--", *client], check=True, timeout=WAIT_S
        )

    def wire(self):
        lines = [json.loads(line) for line in self.journal.read_text().splitlines()[1:]]
        return [line for line in lines if line["kind"] == "wire" and line["event"] in ("text", "binary")]

    def test_each_message_of_a_journal_is_a_line(self):
        done = run("decode", "--brief", str(self.journal))
        said = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, 0, done.stdout)
        wire = self.wire()
        self.assertEqual([line["n"] for line in said], [line["n"] for line in wire])
        for line, entry in zip(said, wire):
            self.assertEqual((line["from"], line["connection"]), (entry["from"], 1))
            if "frame" in entry:
                self.assertEqual((line["kind"], line["index"]), ("frame", entry["frame"]["index"]))
                audio, image = line["payloads"]
                self.assertEqual(int(audio["crc32"], 16), entry["frame"]["audio_crc"])
                self.assertEqual(image["bytes"], entry["frame"]["image_bytes"])
                self.assertEqual(line["bytes"], 37 + 2 * 5 + audio["bytes"] + image["bytes"])
        kinds = [line["kind"] for line in said if line["from"] == "client"]
        self.assertEqual(kinds[0], "input")
        self.assertIn("text", kinds)

    def test_one_line_of_a_journal_will_do_and_its_message_comes_back(self):
        entry = next(line for line in self.wire() if line["from"] == "client" and line["event"] == "binary")
        done = run("decode", data=json.dumps(entry).encode())
        self.assertEqual(json.loads(done.stdout)["n"], entry["n"])
        message = run("encode", data=done.stdout).stdout
        self.assertEqual(message[:1] + message[9:13], b"\x01\x00\x00\x00\x00")
        self.assertEqual(len(message), json.loads(done.stdout)["bytes"])

    def test_a_frame_of_which_the_head_was_kept_cannot_be_encoded(self):
        done = run("decode", "--brief", str(self.journal))
        frame = next(line for line in done.stdout.splitlines() if b'"whole":false' in line)
        built = run("encode", data=frame)
        self.assertEqual((built.returncode, built.stdout), (1, b""))
        self.assertIn(b"whole: expected true", built.stderr)
        self.assertIn(b"decode --from client", built.stderr)

    def test_what_the_client_sent_comes_back_byte_for_byte(self):
        """As decode and encode are joined by a pipe."""
        sent = [line for line in self.wire() if line["from"] == "client"]
        expected = [
            base64.b64decode(line["base64"]) if "base64" in line else line["text"].encode() for line in sent
        ]
        self.assertEqual({line["event"] for line in sent}, {"text", "binary"})
        done = run("encode", "--hex", data=run("decode", "--from", "client", str(self.journal)).stdout)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual([bytes.fromhex(line) for line in done.stdout.decode().split()], expected)

    def test_the_sides_of_a_journal_together_are_all_of_it(self):
        said = {side: run("decode", "--from", side, str(self.journal)).stdout.splitlines() for side in ("client", "server")}
        for side, lines in said.items():
            self.assertEqual({json.loads(line)["from"] for line in lines}, {side})
        both = run("decode", str(self.journal)).stdout.splitlines()
        self.assertEqual(sorted(both), sorted(said["client"] + said["server"]))

    def test_where_it_stops_is_told_with_the_line(self):
        decoded = run("decode", str(self.journal)).stdout
        lines = decoded.splitlines()
        first = next(n for n, line in enumerate(lines, 1) if b'"whole":false' in line)
        done = run("encode", "--hex", data=decoded)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, first - 1))
        self.assertIn(b"encode: line %d: whole: expected true" % first, done.stderr)
        done = run("encode", data=decoded)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1))
        self.assertIn(b"several messages are written with --hex", done.stderr)

    def test_a_broken_line_is_told_and_the_others_are_decoded(self):
        lines = self.journal.read_bytes().splitlines()
        texts = [line for line in lines if b'"event":"text"' in line]
        done = run("decode", data=b"\n".join([lines[0], texts[0], b'{"n":', texts[1]]))
        said = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["kind"] for line in said], ["text", "line", "text"])
        self.assertEqual((done.returncode, said[1]["error"]["status"]), (1, "not-json"))

    def test_several_messages_are_encoded_as_lines_of_hex(self):
        texts = [line for line in run("decode", str(self.journal)).stdout.splitlines() if b'"kind":"text"' in line]
        done = run("encode", "--hex", data=b"\n".join(texts))
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = [json.loads(line)["text"] for line in texts]
        self.assertEqual([bytes.fromhex(line).decode() for line in done.stdout.decode().split()], expected)


class Pictures(unittest.TestCase):
    def test_size_is_probed_and_what_is_no_picture_has_none(self):
        jpeg = (SOURCE / "fixtures/pictures/persona.jpg").read_bytes()
        for data, expected in ((jpeg, True), (b"\xff\xd8\xff\xe0no picture", False)):
            frame = {"kind": "frame", "payloads": [{"type": 2, "hex": data.hex()}]}
            message = run("encode", data=json.dumps(frame).encode()).stdout
            image = json.loads(run("decode", "--brief", data=message).stdout)["payloads"][0]
            self.assertEqual("picture" in image, expected)
            self.assertEqual((image["bytes"], image["crc32"]), (len(data), f"{zlib.crc32(data):08x}"))
            if expected:
                self.assertGreater(image["picture"]["width"], 100)

    def test_a_frame_of_the_mock_shows_its_size_and_its_block_code_and_comes_back(self):
        mock = [MOCK, "exec", "--size", "320x240", "--", "/usr/bin/python3", "-c", FIRST_FRAME]
        message = subprocess.run(mock, capture_output=True, check=True, timeout=WAIT_S).stdout
        decoded = run("decode", data=message)
        audio, image = json.loads(decoded.stdout)["payloads"]
        self.assertEqual(image["picture"], {"width": 320, "height": 240})
        self.assertEqual(image["code"], {"frame_number": 0, "interaction": "00000000", "sample_position": 0})
        self.assertEqual((audio["name"], audio["bytes"]), ("audio", 1280))
        self.assertEqual(run("encode", data=decoded.stdout).stdout, message)


class SeveralFamilies(unittest.TestCase):
    """A journal of both families, as a mock that serves both writes it; and of the full-duplex one alone."""

    SPEECH = str(SOURCE / "fixtures/speech/hello-1s.wav")

    def journal(self, command, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "journal.jsonl"
            words = [MOCK, "exec", *options, "--size", "320x240", "--journal", path, "--", "sh", "-c", command]
            subprocess.run(words, capture_output=True, timeout=WAIT_S, check=False)
            return path.read_bytes()

    def test_each_message_is_told_in_its_own_family(self):
        speak = f"{CLIENT} speak {self.SPEECH} --no-video --quiet"
        talk = f"{CLIENT} talk --mode audio --audio {self.SPEECH} --quiet --timeout 3"
        data = self.journal(f"{speak}; {talk}")
        entries = [json.loads(line) for line in data.splitlines()]
        sent = [line for line in entries if line.get("kind") == "wire" and line["event"] in ("text", "binary")]
        done = run("decode", data=data)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        said = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["n"] for line in said], [line["n"] for line in sent])
        self.assertEqual([line.get("family") for line in said], [line.get("family") for line in sent])
        foreign = [line for line in said if line.get("family") == "duplex"]
        self.assertLess({"session.queue_done", "session.update", "input_audio_buffer.append"}, {line["type"] for line in foreign})
        for line, entry in zip(foreign, [line for line in sent if line.get("family")]):
            self.assertEqual((line["text"], line["json"]), (entry["text"], json.loads(entry["text"])))
            self.assertEqual(line["bytes"], len(entry["text"].encode()))

    def test_in_brief_sound_is_a_number_of_characters(self):
        data = self.journal(f"{CLIENT} talk --mode audio --audio {self.SPEECH} --quiet --timeout 3", "--family", "duplex")
        done = run("decode", "--brief", "--from", "client", data=data)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        said = [json.loads(line) for line in done.stdout.splitlines()]
        append = next(line for line in said if line["type"] == "input_audio_buffer.append")
        self.assertEqual(append["json"]["audio"], {"characters": 85336})  # 64,000 bytes in base64
        self.assertEqual([line for line in said if "text" in line], [])
        self.assertLess(max(map(len, done.stdout.splitlines())), 1000)

    def test_what_a_client_sent_comes_back_byte_for_byte(self):
        data = self.journal(f"{CLIENT} talk --mode audio --audio {self.SPEECH} --quiet --timeout 3", "--family", "duplex")
        entries = [json.loads(line) for line in data.splitlines()]
        expected = [line["text"].encode() for line in entries if line.get("event") == "text" and line["from"] == "client"]
        done = run("encode", "--hex", data=run("decode", "--from", "client", data=data).stdout)
        self.assertEqual((done.returncode, [bytes.fromhex(line) for line in done.stdout.decode().split()]), (0, expected))

    def test_a_message_that_is_no_json_is_wrong_and_one_that_was_cut_is_told(self):
        header = b'{"journal":1,"family":"ojin","profile":"oris-1.0","others":[{"family":"duplex","profile":"video"}]}\n'
        entry = '{"n":%d,"at_us":1,"connection":1,"kind":"wire","family":"duplex","from":"client","event":"text",%s}\n'
        lines = (entry % (0, r'"text":"{no"') + entry % (1, r'"bytes":9000,"text":"{\"type\":\"x\"}"')).encode()
        done = run("decode", data=header + lines)
        said = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((done.returncode, said[0]["error"]["status"], said[0]["base64"]), (1, "not-json", base64.b64encode(b"{no").decode()))
        self.assertEqual((said[1]["whole"], said[1]["bytes"], "text" in said[1]), (False, 9000, False))


class OneMessage(unittest.TestCase):
    """A message by itself, whose family is found by looking at it or named."""

    ROWS = [
        ("of Ojin", [], b'{"type":"cancelInteraction","payload":{"timestamp":1700000000000}}', None, []),
        ("full-duplex", [], b'{"type":"session.close","reason":"user_stop"}', "duplex", []),
        ("with a fault", [], b'{"type":"session.close","reason":1}', "duplex", ["reason: expected a string, found a number"]),
        ("of the later version", [], b'{"type":"session.init","payload":{"system_prompt":"Hello"}}', "duplex", []),
        ("of an interview", [], b'{"type":"commit_audio"}', "interview", []),
        ("of an interview as it is deployed", [], b'{"type":"error","error":"X","message":"no"}', "interview", []),
        ("of two families, by its members", [], b'{"type":"error","code":"X","message":"no"}', "interview", []),
        ("named", ["--family", "duplex"], b'{"type":"endInteraction"}', "duplex", ["type:"]),
    ]

    def test_it_is_told_in_the_family_that_it_fits_and_comes_back(self):
        for name, words, message, family, faults in self.ROWS:
            with self.subTest(name):
                done = run("decode", *words, data=message)
                said = json.loads(done.stdout)
                self.assertEqual((said.get("family"), done.returncode), (family, 1 if faults else 0), said)
                for said_fault, fault in zip(said.get("faults", []), faults, strict=True):
                    self.assertIn(fault, said_fault)
                self.assertEqual(run("encode", data=done.stdout).stdout, message)

    def test_sound_is_counted_in_samples(self):
        audio = base64.b64encode(bytes(4 * 4000)).decode()
        done = run("decode", "--brief", data=b'{"type":"input_audio_buffer.append","audio":"%s"}' % audio.encode())
        said = json.loads(done.stdout)
        self.assertEqual((said["audio"]["samples"], said["audio"]["bytes"]), (4000, 16000))
        self.assertEqual(said["audio"]["crc32"], f"{zlib.crc32(bytes(16000)):08x}")


class Mistakes(unittest.TestCase):
    def test_wrong_usage_is_one_line_and_exit_2(self):
        rows = [
            (["decode", "--loud"], b"'--loud'"),
            (["decode", "--hex"], b"'--hex'"),
            (["decode", "--hex", "0"], b"pairs of hex digits"),
            (["decode", "--hex", "00", "file"], b"'file'"),
            (["decode", "--from", "me"], b"'me'"),
            (["decode", "--family", "me", "--hex", "00"], b"'me'"),
            (["decode", "--family", "duplex", "--frame", "--hex", "00"], b"--frame belong"),
            (["decode", "--from"], b"'--from'"),
            (["decode", "--from", "client", "--hex", "00"], b"--from goes with a journal"),
            (["decode", "a", "b"], b"'b'"),
            (["decode", "absent.bin"], b"absent.bin"),
            (["decode", "/"], b"cannot read /"),
            (["encode", "absent.json"], b"absent.json"),
            (["encode", "--loud"], b"'--loud'"),
            (["encode", "a", "b"], b"'b'"),
        ]
        for words, text in rows:
            with self.subTest(words):
                done = run(*words)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1), done.stderr)
                self.assertIn(text, done.stderr)

    def test_json_that_describes_no_message_is_one_line_and_exit_1(self):
        for data, text in ((b"", b"not JSON"), (b"{", b"not JSON"), (b'{"kind":"x"}', b"kind"), (b"[1]", b"object")):
            with self.subTest(data):
                done = run("encode", data=data)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (1, b"", 1), done.stderr)
                self.assertIn(text, done.stderr)

    def test_a_message_past_its_maximum_is_refused(self):
        done = run("decode", "--frame", data=bytes(16 * 1024 * 1024 + 1))
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertEqual(run("decode", "--frame", "--brief", data=bytes(16 * 1024 * 1024)).returncode, 0)

    def test_help_has_an_example(self):
        for command in ("decode", "encode"):
            done = run(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn(b"Example: ", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
