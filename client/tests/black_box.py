"""ojin-client as a program: against ojin-mock, and against what is wrong. Usage: black_box.py BIN_DIR FIXTURES_DIR"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

bin_dir = pathlib.Path(sys.argv[1])
speech = pathlib.Path(sys.argv[2]) / "speech" / "hello-1s.wav"
client = bin_dir / "ojin-client"
mock = bin_dir / "ojin-mock"
KEY = "key-not-to-be-seen"
for needed in (client, mock, speech):
    if not needed.exists():
        sys.exit(f"{needed} is not there")

failures = []


def run(words, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OJIN_", "CONFORM_"))}
    environment.update(variables)
    done = subprocess.run([client, *words], capture_output=True, text=True, timeout=60, env=environment)
    if KEY in done.stdout + done.stderr:
        failures.append(f"the key was printed by {words}")
    return done


def expect(what, holds, done):
    print("ok  " if holds else "FAIL", what)
    if not holds:
        failures.append(f"{what}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def one_line(done, code, text):
    return done.returncode == code and done.stderr.count("\n") == 1 and text in done.stderr


def try_mistakes(folder):
    no_sound = folder / "text.wav"
    no_sound.write_text("this is no sound")
    server = ["--url", "ws://127.0.0.1:1/", "--key", KEY, "--config", "c"]
    mistakes = [
        ("no command", [], 2, "--help"),
        ("an unknown command", ["sing"], 2, "'sing'"),
        ("an unknown option", ["speak", "--loud"], 2, "'--loud'"),
        ("a value missing", ["speak", str(speech), "--url"], 2, "'--url'"),
        ("an unknown profile", ["speak", str(speech), "--profile", "x"], 2, "'x'"),
        ("no server named", ["speak", str(speech)], 2, "OJIN_URL"),
        ("no such file", ["speak", "absent.wav", *server], 2, "absent.wav"),
        ("a file that is no sound", ["speak", str(no_sound), *server], 2, "text.wav"),
        ("a URL that is none", ["speak", str(speech), "--url", "http://x/", *server[2:]], 2, "http://x/"),
        ("a server that is not there", ["speak", str(speech), *server], 1, "127.0.0.1:1: connection refused"),
        ("conform without an environment", ["conform"], 99, "OJIN_AUDIO"),
    ]
    for name, words, code, text in mistakes:
        done = run(words)
        expect(name, one_line(done, code, text), done)


def try_speaking(url, folder):
    report = folder / "report.json"
    words = ["speak", str(speech), "--url", url, "--key", KEY, "--config", "c", "--out", str(folder), "--json", str(report)]
    done = run(words)
    expect("speaking ends well", done.returncode == 0, done)
    if done.returncode != 0:
        return
    told = json.loads(report.read_text())
    expect("every speech frame is played", told["frames_played"]["speech"] == told["frames_received"]["speech"] > 20, done)
    expect("picture and sound are within a frame", abs(told["offset_max_ms"]) <= 40, done)
    expect("pictures were measured", told["pictures_measured"] > 20, done)
    expect("the video is an AVI", (folder / "hello-1s.avi").read_bytes()[8:12] == b"AVI ", done)


def try_waiting(url):
    slow = ["speak", str(speech), "--url", url, "--key", KEY, "--no-video", "--quiet", "--config"]
    for card, what in (("mock.cold-start=2s", "no sessionReady came"), ("mock.queue=2s", "the upgrade was not answered")):
        done = run([*slow, card, "--ready-timeout", "1"])
        said = f"the server did not get ready: {what} within 1 s; for one that starts slowly or has a queue, --ready-timeout"
        expect(f"{card} is not waited for, and it is said how", one_line(done, 1, said), done)
        done = run([*slow, card, "--ready-timeout", "50"])
        expect(f"{card} is waited for", done.returncode == 0 and done.stderr == "", done)
    done = run(["speak", str(speech), "--ready-timeout", "0"])
    expect("no time at all", one_line(done, 2, "--ready-timeout takes 1 to 3600 seconds, not '0'"), done)
    listed = subprocess.run([mock, "--list", "cards"], capture_output=True, text=True, timeout=60, check=True)
    for card in ("mock.cold-start[=10s]", "mock.queue[=5s]", "mock.queue-full[=25s]"):
        lines = [line for line in listed.stdout.splitlines() if line.startswith(card)]
        expect(f"{card} says what to pass", len(lines) == 1 and "--ready-timeout" in lines[0], listed)


def try_conforming(url, folder):
    plan = folder / "plan.json"
    variables = {"OJIN_URL": url, "OJIN_API_KEY": KEY, "OJIN_CONFIG_ID": "c", "CONFORM_PLAN": str(plan)}
    steps = [{"do": "connect"}, {"do": "speak", "file": str(speech)}, {"do": "cancel", "after": "speech:3"}, {"do": "close"}]
    plan.write_text(json.dumps({"conform": 1, "steps": steps}))
    done = run(["conform"], **variables)
    seen = [json.loads(line)["seen"] for line in done.stdout.splitlines()]
    expect("a plan is obeyed", done.returncode == 0 and "cancelled" in seen and seen[-1] == "closed", done)
    plan.write_text(json.dumps({"conform": 1, "steps": [{"do": "connect"}, {"do": "connect"}]}))
    done = run(["conform"], **variables)
    expect("a second connection is declined", done.returncode == 77, done)
    plan.write_text("{")
    done = run(["conform"], **variables)
    expect("a broken plan is the environment's fault", one_line(done, 99, "plan.json"), done)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try_mistakes(folder)
        words = [mock, "--port", "0", "--size", "320x240"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                url = json.loads(server.stdout.readline())["url"]
                try_speaking(url, folder)
                try_waiting(url)
                try_conforming(url, folder)
            finally:
                server.terminate()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
