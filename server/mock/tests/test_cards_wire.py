#!/usr/bin/python3
"""Every card with a name of its own (--list cards), as a raw socket sees it; and cards that there are not."""
import json
import subprocess
import unittest

import wire
from wire import is_speech

check = wire.Checks()
NO_NAME = "there is no quirk or fault"


def is_type(kind):
    return lambda message: isinstance(message, dict) and message.get("type") == kind


def answer_to(mock, card):
    with mock.peer() as peer:
        return peer.upgrade(f"mock.{card}")


@check.of("wrong-key", "not-found", "unavailable")
def refusals(mock):
    for card, status in (("wrong-key", 401), ("not-found", 404), ("unavailable", 503)):
        response = answer_to(mock, card)
        assert response.status == status, response
        assert ("retry-after" in response.headers) == (card == "unavailable"), response
        code = {401: "AUTH_FAILED", 404: "MODEL_NOT_FOUND", 503: "BACKEND_UNAVAILABLE"}[status]
        assert json.loads(response.body)["payload"]["code"] == code, response


@check.of("no-permission", "no-backend-text", "model-not-found", "out-of-credits", "login-expired")
def early_ends(mock):
    for card, said, code in (
        ("no-permission", "UNAUTHORIZED", 1008),
        ("no-backend-text", "No backend servers available. Please try again later.", 1013),
        ("model-not-found", "Model not found", 1013),
        ("out-of-credits", "INSUFFICIENT_CREDITS", 1008),
        ("login-expired", None, 4401),
    ):
        with mock.session(f"mock.{card}") as peer:
            seen, closed, how = peer.end_of_session()
            told = [one["payload"]["code"] if isinstance(one, dict) else one for one in seen]
            assert (told, closed.code, how) == ([said] if said else [], code, "fin"), (card, seen, closed)


@check.of("newer-server")
def newer_server(mock):
    with mock.session("mock.newer-server") as peer:
        ready = peer.json()
        assert "num_clients" in ready["payload"], ready
        assert peer.json()["type"] == "sessionUpdate"
        peer.silence()
        assert peer.until_frame().rest == b"\x00"
        peer.until(is_type("sessionPing"))


@check.of("rate-limited")
def rate_limited(mock):
    with mock.session("mock.rate-limited") as peer:
        assert peer.json()["type"] == "sessionReady"
        peer.silence()
        peer.silence()
        assert peer.until_error()["code"] == "RATE_LIMITED"


@check.of("timeout", "internal-error")
def errors_in_speech(mock):
    for card, code, spoken in (("timeout", "TIMEOUT", 0), ("internal-error", "INTERNAL_ERROR", 3)):
        with mock.speaking(f"mock.{card}", 20) as peer:
            seen = peer.until(is_type("errorResponse"))
            assert seen[-1]["payload"]["code"] == code and len(list(filter(is_speech, seen))) == spoken, (card, len(seen))


@check.of("drop-after-10", "reset-after-10")
def ends(mock):
    for card, how in (("drop-after-10", "fin"), ("reset-after-10", "reset")):
        with mock.speaking(f"mock.{card}") as peer:
            seen, closed, ended = peer.end_of_session()
            assert (len(list(filter(is_speech, seen))), closed, ended) == (10, None, how), (card, ended)


@check.of("going-away", "restart", "try-again-later")
def close_codes(mock):
    for card, code in (("going-away", 1001), ("restart", 1012), ("try-again-later", 1013)):
        with mock.speaking(f"mock.{card}") as peer:
            seen, closed, how = peer.end_of_session()
            assert (len(list(filter(is_speech, seen))), closed.code, how) == (3, code, "fin"), (card, closed)


@check.of("huge-count")
def huge_count(mock):
    with mock.speaking("mock.huge-count") as peer:
        peer.until_speech(3)
        assert peer.any().count == 0xFFFFFFFF


@check.of("one-byte-slices")
def one_byte_slices(mock):
    sliced, whole = (wire.segments_of_speech(mock, card) for card in ("mock.one-byte-slices", "c"))
    assert sliced > whole + 20, (sliced, whole)


@check.of("hiccups")
def hiccups(mock):
    with mock.speaking("mock.hiccups", 25) as peer:
        speech = list(filter(is_speech, peer.until_speech(12)))
        assert [wire.loudness(wire.audio_of(frame)) < 300 for frame in speech[:4]] == [True] * 3 + [False]


class Cards(unittest.TestCase):
    def test_every_card_with_a_name_of_its_own_shows_on_the_wire(self):
        others = {row["name"] for what in ("quirks", "faults") for row in wire.listed(what)}
        cards = [card["name"] for card in wire.listed("cards")]
        self.assertEqual({f"mock.{name}" for name in others} - set(cards), set())
        with wire.Mock() as mock:
            check.judge(self, mock, [card[5:] for card in cards if card[5:] not in others])

    def test_cards_are_known_beside_the_one_config(self):
        with wire.Mock("--config", "only-this") as mock:
            with mock.session("mock.camel-case-ready") as peer:
                self.assertIn("traceId", peer.json()["payload"])
            with mock.session("only-this") as peer:
                self.assertIn("trace_id", peer.json()["payload"])
            with mock.session("another") as peer:
                self.assertEqual(peer.json()["payload"]["code"], "MODEL_NOT_FOUND")

    def test_a_card_that_there_is_not_is_an_unknown_config_and_the_nearest_is_said(self):
        with wire.Mock("--log", "quiet") as mock:
            for card, why in (
                ("mock.rate-limted", 'there is no card "mock.rate-limted"; did you mean "mock.rate-limited"?'),
                ("mock.drop=0", 'fault drop: expected a whole number from 1 to 1000000, found "0"'),
                ("mock.", 'there is no card "mock."'),
                ("mock.drop+reset", "fault reset: expected one fault at a time, there is drop already"),
                ("mock.any-config+drp", 'there is no card "mock.drp"; did you mean "mock.drop"?'),
            ):
                with self.subTest(card), mock.session(card) as peer:
                    seen, closed, _ = peer.end_of_session()
                    self.assertEqual([one["payload"]["code"] for one in seen], ["MODEL_NOT_FOUND"], card)
                    self.assertEqual([one["payload"]["message"] for one in seen], [why + " (see ojin-mock --list cards)"])
                    self.assertEqual(closed.code, 1008)
                    self.assertIn(why, mock.said())

    def test_a_card_comes_percent_encoded_or_as_a_form(self):
        with wire.Mock() as mock:
            for query in ("config_id=mock.fade%2Bcamel-case-ready", "config_id=mock.fade+camel-case-ready"):
                with mock.session("", query=query) as peer:
                    self.assertIn("traceId", peer.json()["payload"])

    def test_more_different_cards_than_are_kept_are_refused_and_the_others_go_on(self):
        with wire.Mock("--log", "quiet") as mock:
            for n in range(1, 1026):
                with mock.session(f"mock.drop={n}") as peer:
                    ready = peer.json()
                    if n > 1024:
                        self.assertEqual(ready["payload"]["code"], "MODEL_NOT_FOUND")
            with mock.session("mock.drop=7") as peer:
                self.assertEqual(peer.json()["type"], "sessionReady")


class Options(unittest.TestCase):
    def test_wrong_values_are_told_in_one_line(self):
        cases = {
            ("--quirk", "cancel-lat"): f'--quirk: {NO_NAME} "cancel-lat"; did you mean --quirk cancel-late? (see --list',
            ("--quirk", "slice"): f'--quirk: {NO_NAME} "slice"; did you mean --fault slices? (see --list',
            ("--quirk", "zzzzz"): f'--quirk: {NO_NAME} "zzzzz" (see --list quirks and --list faults)',
            ("--quirk", "drop"): "--quirk: drop is a fault: did you mean --fault? (see --list",
            ("--quirk", "fade=x"): '--quirk: quirk fade: expected a whole number from 1 to 1000 or off, found "x"',
            ("--fault", "drp"): f'--fault: {NO_NAME} "drp"; did you mean --fault drop? (see --list',
            ("--fault", "cancel"): f'--fault: {NO_NAME} "cancel"; did you mean --quirk cancel-late? (see --list',
            ("--fault", "fade"): "--fault: fade is a quirk: did you mean --quirk? (see --list",
            ("--fault", "drop", "--fault", "reset"): "--fault: expected one fault: a session breaks in one way",
            ("--list", "everything"): '--list: expected profiles, quirks, faults or cards, got "everything"',
            ("--json",): "--json goes with --list; see ojin-mock --help",
            ("--list", "quirk"): '--list: expected profiles, quirks, faults or cards, got "quirk"; did you mean "quirks"?',
            ("--profile", "oris"): "--profile: expected oris-1.0, oris-1.0-earlier, flashhead-lite-1.0, video, ",
            ("--family", "ojin", "--profile", "video"): "--profile: expected oris-1.0, oris-1.0-earlier or flashhead-lite-1.0, got ",
            ("--family", "ojin,duples"): '--family: expected ojin, duplex or interview, got "duples"; did you mean "duplex"?',
            ("--quirk", "duplx:wait"): '--quirk: no family "duplx" is served: expected ojin, duplex or interview before ":"',
            ("--quirk", "ojin:wait"): f'--quirk: {NO_NAME} "ojin:wait" (see --list',
            ("--family", "duplex", "--quirk", "fade"): f'--quirk: {NO_NAME} "fade" (see --list',
            ("--fault", "duplex:no-such"): f'--fault: {NO_NAME} "duplex:no-such" (see --list',
            ("--fault", "duplex:drop=0"): '--fault: fault drop: expected a whole number from 1 to 1000000, found "0"',
            ("--log", "deb"): '--log: expected quiet, info or debug, got "deb"; did you mean "debug"?',
            ("--prot", "1"): '--prot is no option of this program; did you mean "--port"?',
            ("--tls=expird",): "--tls: expected sound, expired, not-yet-valid, self-signed or wrong-host, got ",
            ("--config", "mock.drp"): '--config: there is no card "mock.drp"; did you mean "mock.drop"? (see --list cards)',
            ("--config", "a\nb"): "--config: expected a config id without control characters",
            ("--key", "a\nb"): "--key: expected a key that a header can hold",
            ("--key", "a "): "--key: expected a key that a header can hold",
            ("--allow-host", "a/b"): "--allow-host: expected the name of a host",
            ("--allow-host", "http://a"): "--allow-host: expected the name of a host",
            ("--allow-host", "a:7700"): "--allow-host: expected the name of a host",
            ("--allow-host", "a b"): "--allow-host: expected the name of a host",
            ("--allow-host", "a..b"): "--allow-host: expected the name of a host",
            ("--allow-host", "-a"): "--allow-host: expected the name of a host",
            ("--allow-host", "a" * 64): "--allow-host: expected the name of a host",
            ("--allow-host", "*.a"): "--allow-host: expected the name of a host",
            ("--allow-host", ""): "--allow-host: expected the name of a host",
            ("--ping-timeout", "3"): "--ping-timeout goes with --ping",
            ("--key-file", "x"): "--key-file goes with --cert; see ojin-mock --help",
            ("--ping", "0"): '--ping: expected whole seconds from 1 to 86400, got "0"',
            ("--sessions", "2049"): '--sessions: expected a whole number from 1 to 2048, got "2049"',
            ("--control-anywhere", "--no-control"): "--control-anywhere and --no-control exclude each other",
        }
        for words, expected in cases.items():
            with self.subTest(words):
                done = subprocess.run([wire.MOCK, *words], capture_output=True, text=True, timeout=wire.WAIT_S)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith("ojin-mock: " + expected), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_lists_for_people_have_a_line_each(self):
        for what in ("profiles", "quirks", "faults", "cards"):
            with self.subTest(what):
                rows = wire.listed(what)
                words = [wire.MOCK, "--family", "ojin", "--list", what]
                told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
                table = told.partition("\n\n")[0].splitlines()
                self.assertEqual(len(table), len(rows))
                for row, line in zip(rows, table):
                    self.assertTrue(line.startswith(row["name"]), line)
                    self.assertIn(row.get("sentence", row.get("title")), line)
                    if row.get("default"):
                        self.assertIn(row["default"], line)
                if what in ("quirks", "faults", "cards"):
                    self.assertTrue(any(row.get("default") for row in rows))

    def test_what_is_random_says_its_seed(self):
        with wire.Mock("--fault", "jitter=5ms", "--seed", "99") as mock:
            self.assertEqual(mock.ready["seed"], 99)
            with mock.session("c") as peer:
                self.assertEqual(peer.json()["type"], "sessionReady")
            self.assertIn("fault jitter is random, from seed 99", mock.said())


if __name__ == "__main__":
    unittest.main(verbosity=2)
