"""ojin-client --reconnect against a mock that refuses or drops its sessions, and over TLS: how often it comes, on real
sockets. Usage: reconnects.py BIN_DIR FIXTURES"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

bin_dir = pathlib.Path(sys.argv[1])
speech = pathlib.Path(sys.argv[2]) / "speech" / "hello-1s.wav"

# name, options of the mock, attempts allowed, connections, codes that are seen, others that are not
CASES = [
    ("a dropped session is tried again until it gives up", ["--fault", "drop-early"], 2, 3, ["GAVE_UP", 1006], []),
    ("a 503 is tried again", ["--fault", "refuse=503"], 1, 2, ["503", "GAVE_UP"], []),
    ("a 401 is not", ["--fault", "refuse=401"], 3, 1, ["401"], ["GAVE_UP"]),
    ("UNAUTHORIZED and 1008 is not", ["--quirk", "forbidden"], 3, 1, ["UNAUTHORIZED", 1008], ["GAVE_UP"]),
    ("a private close code is not", ["--fault", "close-early=4401"], 3, 1, [4401], ["GAVE_UP"]),
    ("an expired certificate is not", ["--tls=expired"], 3, 0, ["NO_CONNECTION"], ["GAVE_UP"]),
    ("a self-signed one is not", ["--tls=self-signed"], 3, 0, ["NO_CONNECTION"], ["GAVE_UP"]),
    ("one for another host is not", ["--tls=wrong-host"], 3, 0, ["NO_CONNECTION"], ["GAVE_UP"]),
    ("a good one is trusted", ["--tls"], 3, 1, [1000], ["NO_CONNECTION"]),
]


def run(folder, mock, times):
    plan = folder / "plan.json"
    journal = folder / "journal.jsonl"
    plan.write_text(json.dumps({"conform": 1, "steps": [
        {"do": "connect"}, {"do": "reconnect", "times": times}, {"do": "speak", "file": str(speech)}, {"do": "end"}]}))
    done = subprocess.run(
        [bin_dir / "ojin-mock", "exec", *mock, "--journal", journal, "--", bin_dir / "ojin-client", "conform"],
        capture_output=True, text=True, timeout=60, env=dict(os.environ, CONFORM_PLAN=str(plan)))
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    entries = [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
    return done, seen, sum(1 for entry in entries if entry.get("label") == "upgrade")


def main():
    failures = 0
    for name, mock, times, connections, codes, others in CASES:
        with tempfile.TemporaryDirectory() as folder:
            done, seen, upgrades = run(pathlib.Path(folder), mock, times)
        told = [s.get("code") for s in seen]
        good = (done.returncode in (0, 1) and upgrades == connections and all(code in told for code in codes)
                and not any(code in told for code in others) and seen[-1]["seen"] in ("closed", "error"))
        print("ok  " if good else "FAIL", name)
        if not good:
            failures += 1
            print(f"  exit {done.returncode}, {upgrades} connections, seen {told}\n{done.stderr}")
    return 1 if failures else 0


sys.exit(main())
