#!/usr/bin/python3
"""Clients with a bug each, in C, Python and Node, and how soon ojin-conform fuzz finds it. By hand:

    conformance/tests/planted_bugs.py --bin build/release/bin [--seeds N] [--from SEED] [--language c|python|node] [--only NAME] [--time 60s]

Prints a line for each: the seed, what was found when, and how small it became. Exit: 0 all were found, 1 one was not.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CLIENTS = SOURCE / "conformance/clients"

# Frames are read from memory of their own size, so that a sanitizer sees what is read behind them.
EXACT = (
    "    const uint8_t *message = session->message;",
    "    static uint8_t *message;\n    free(message);\n    message = malloc(session->length > 0 ? session->length : 1);\n"
    "    memcpy(message, session->message, session->length);",
)
C_ENTRY = "        if (session->length - at < ENTRY_BYTES)\n            return false;\n"
C_SIZE = "        if (size > session->length - at)\n            return false;\n"
C_TEXT = "static void take_text(struct session *session)\n{\n"
C = {
    "over-read by one": [(C_ENTRY, C_ENTRY.replace("< ENTRY_BYTES", "< ENTRY_BYTES - 1"))],
    "trusts num_payloads": [(C_ENTRY, "")],
    "trusts data size": [(C_SIZE, "")],
    "endless loop on size 0": [("        at += (size_t)size;\n", "        at += (size_t)size;\n        if (size == 0)\n            at -= ENTRY_BYTES, left++;\n")],
    "quadratic buffering": [
        (
            "    const size_t room = MESSAGE_MAX - session->length;\n",
            "    static uint8_t *whole;\n    whole = realloc(whole, session->length + 1);\n"
            "    memcpy(whole, session->message, session->length);\n    const size_t room = MESSAGE_MAX - session->length;\n",
        )
    ],
    "waits for a final frame": [
        (
            "    session_run(session, is_final, 0, WAIT_MS);\n",
            "    while (!session->final)\n        session_run(session, is_final, 0, WAIT_MS), usleep(1000);\n",
        )
    ],
    "exception on plain text": [('session_fail(session, "", text, false);', "abort();")],
    "crash on empty audio": [("            frame->sizes[type] = (size_t)size;\n", "            frame->sizes[type] = (size_t)size;\n            if (type == 1 && size == 0)\n                abort();\n")],
    "unbounded queue": [("    const bool dropped = is_dropped(", "    static uint8_t *volatile kept;\n    kept = malloc(session->length);\n    memcpy(kept, session->message, session->length);\n    const bool dropped = is_dropped(")],
    "recursion on nested JSON": [
        (
            C_TEXT,
            "static int depth_of(const char *at)\n{\n    volatile char pad[128];\n    pad[0] = *at;\n"
            "    return *at == '[' || *at == '{' ? depth_of(at + 1) + pad[0] : 0;\n}\n\n" + C_TEXT + "    (void)depth_of((const char *)session->message);\n",
        )
    ],
}
PYTHON_ENTRY = '        if len(data) - offset < ENTRY_BYTES:\n            raise BadFrame(f"payload {number + 1} of {count} is missing")\n'
PYTHON_SIZE = '        if size > len(data) - offset:\n            raise BadFrame(f"payload {number + 1} has {size} bytes, {len(data) - offset} are left")\n'
PYTHON_RETURN = "    return Frame(final == 1"
PYTHON_TEXT = "            message = json.loads(text)\n        except (ValueError, RecursionError):"
PYTHON = {
    "over-read by one": [(PYTHON_ENTRY, PYTHON_ENTRY.replace("< ENTRY_BYTES", "< ENTRY_BYTES - 1"))],
    "trusts num_payloads": [(PYTHON_ENTRY, "")],
    "trusts data size": [(PYTHON_SIZE, "")],
    "endless loop on size 0": [("        offset += size\n", "        offset += size\n        while size == 0:\n            pass\n")],
    "quadratic buffering": [(PYTHON_RETURN, "    global SEEN\n    SEEN = SEEN + bytes(data)\n" + PYTHON_RETURN), ("def now_ms():", 'SEEN = b""\n\n\ndef now_ms():')],
    "waits for a final frame": [
        (
            "        await self.until(lambda: self.final or time.monotonic() - self.last_sign > FINAL_TIMEOUT)\n",
            "        while not self.final:\n            await asyncio.sleep(0.01)\n",
        )
    ],
    "exception on plain text": [(PYTHON_TEXT, PYTHON_TEXT.replace("(ValueError, RecursionError)", "RecursionError"))],
    "crash on empty audio": [(PYTHON_RETURN, "    if AUDIO in payloads:\n        payloads[AUDIO][0]\n" + PYTHON_RETURN)],
    "unbounded queue": [("if self.full or len(self.buffer) >= MAX_HELD_FRAMES or self.held_bytes + size_of(frame) > MAX_HELD_BYTES:", "if self.full:")],
    "recursion on nested JSON": [(PYTHON_TEXT, PYTHON_TEXT.replace("(ValueError, RecursionError)", "ValueError"))],
}
NODE_ENTRY = "    if (data.length - offset < ENTRY_BYTES) throw new BadFrame(`payload ${number} of ${count} is missing`);\n"
NODE_SIZE = (
    "    if (size > data.length - offset)\n      throw new BadFrame(`payload ${number} has ${size} bytes, ${data.length - offset} are left`);\n"
)
NODE_RETURN = "  return frame;\n}"
NODE_TEXT = "      message = JSON.parse(text);\n    } catch {\n"
NODE_PARSE = "export function parseFrame(data) {"
NODE = {
    "over-read by one": [(NODE_ENTRY, NODE_ENTRY.replace("< ENTRY_BYTES", "< ENTRY_BYTES - 2"))],
    "trusts num_payloads": [(NODE_ENTRY, "")],
    "trusts data size": [(NODE_SIZE, "")],
    "endless loop on size 0": [("    offset += size;\n", "    offset += size;\n    while (size === 0);\n")],
    "quadratic buffering": [(NODE_RETURN, "  seen = Buffer.concat([seen, data]);\n" + NODE_RETURN), (NODE_PARSE, "let seen = Buffer.alloc(0);\n" + NODE_PARSE)],
    "waits for a final frame": [
        (
            "    await this.until(() => this.final || now() - this.lastSign > FINAL_TIMEOUT_MS);\n",
            "    while (!this.final) await new Promise((resolve) => setTimeout(resolve, 10));\n",
        )
    ],
    "exception on plain text": [(NODE_TEXT, NODE_TEXT + "      process.nextTick(() => JSON.parse(text));\n")],
    "crash on empty audio": [(NODE_RETURN, "  if (frame.audio && frame.audio.length === 0) throw new RangeError('no audio');\n" + NODE_RETURN)],
    "unbounded queue": [("if (this.buffer.length >= MAX_HELD_FRAMES || this.heldBytes + sizeOf(frame) > MAX_HELD_BYTES) {", "if (this.full) {")],
    "recursion on nested JSON": [
        (
            "      message = JSON.parse(text);\n",
            "      message = JSON.parse(text);\n    } finally {\n      depthOf(text, 0);\n    }\n    try {\n",
        ),
        ("const SILENCE = 0;", "const depthOf = (text, at) => ('[{'.includes(text[at] ?? 'x') ? 1 + depthOf(text, at + 1) : 0);\nconst SILENCE = 0;"),
    ],
}


def changed(folder, changes, to):
    """A copy of a folder of clients in which some text, which stands in one file of it, is another."""
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    if (folder / "node_modules").is_dir():
        (to / "node_modules").symlink_to(folder / "node_modules")
    for old, new in changes:
        places = [path for path in to.iterdir() if path.is_file() and old in path.read_text()]
        if to.name == "c":
            places = [path for path in places if path.name == "session.c"]
        if len(places) != 1:
            raise SystemExit(f"{old!r} stands in {len(places)} files")
        places[0].write_text(places[0].read_text().replace(old, new))


def build(language, changes, folder):
    """The words that start the client."""
    to = folder / language
    if language == "c":
        changed(CLIENTS / "minimal", [EXACT, *changes], to)
        sources = [str(to / name) for name in ("plan.c", "session.c", "parts.c")]
        options = ["-D_DEFAULT_SOURCE", "-O1", "-g", "-fsanitize=address", "-fno-omit-frame-pointer"]
        subprocess.run(["cc", *options, "-o", str(to / "client"), *sources], check=True)
        return [str(to / "client"), "--observe"]
    changed(CLIENTS / language, changes, to)
    return ["/usr/bin/python3", str(to / "ojin_client.py")] if language == "python" else ["node", str(to / "ojin-client.mjs")]


def hunt(options, words, seed, folder):
    """The first finding; None: there was none."""
    report = folder / "report.json"
    done = subprocess.run(
        [options.bin / "ojin-conform", "fuzz", "--persistent", "--seed", str(seed), "--time", options.time, "--until-found"]
        + ["--env", "ASAN_OPTIONS=detect_leaks=0", "--out", folder / "out", "--json", report, "--", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout + done.stderr)
    findings = json.loads(report.read_text())["findings"]
    return findings[0] if findings else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--language")
    parser.add_argument("--only")
    parser.add_argument("--time", default="60s")
    options = parser.parse_args()
    missed = 0
    for language, bugs in (("c", C), ("python", PYTHON), ("node", NODE)):
        for name, changes in bugs.items():
            if options.language not in (None, language) or options.only not in (None, name):
                continue
            with tempfile.TemporaryDirectory(prefix="planted-") as folder:
                words = build(language, changes, pathlib.Path(folder))
                for seed in range(options.first, options.first + options.seeds):
                    began = time.monotonic()
                    finding = hunt(options, words, seed, pathlib.Path(folder))
                    took = time.monotonic() - began
                    missed += finding is None
                    told = "NOT FOUND" if finding is None else f"{finding['kind']:8} found after {finding['found_ms'] / 1000:5.1f} s, {finding['bytes_at_first']:6} -> {finding['bytes']} bytes in {finding['steps']} steps{'' if finding['steady'] else ', did it once'}"
                    print(f"{language:7} {name:26} seed {seed:2}: {told} ({took:.0f} s in all)", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
