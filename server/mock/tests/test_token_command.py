"""ojin-mock token: what it prints, held to Python's own HMAC; and wrong usage."""

import base64
import hashlib
import hmac
import json
import os
import subprocess
import sys
import time
import unittest

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
DEFAULT = "the-test-secret-of-every-ojin-mock"
HASHES = {"HS256": hashlib.sha256, "HS512": hashlib.sha512}


def run(*words, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "OJIN_MOCK_JWT_SECRET"}
    return subprocess.run([MOCK, "token", *words], capture_output=True, text=True, timeout=60,
                          env={**environment, **variables})


def part(text):
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def token(*words, **variables):
    done = run(*words, **variables)
    assert done.returncode == 0 and done.stderr == "", done
    assert done.stdout.count("\n") == 1, done.stdout
    return done.stdout.strip()


def read(text, secret=DEFAULT):
    """Its algorithm, its claims, and whether it is signed with that secret."""
    header, claims, signature = text.split(".")
    header = part(header)
    digest = HASHES.get(header["alg"])
    good = digest is not None and hmac.compare_digest(
        base64.urlsafe_b64encode(hmac.new(secret.encode(), text.rsplit(".", 1)[0].encode(), digest).digest())
        .rstrip(b"=").decode(), signature)
    return header["alg"], part(claims), good


class Tokens(unittest.TestCase):
    def test_kinds(self):
        now = time.time()
        alg, claims, good = read(token())
        assert alg == "HS256" and good, alg
        assert claims["sub"] == "candidate-1" and claims["role"] == "candidate", claims
        assert 3590 <= claims["exp"] - now <= 3610 and "interview_id" not in claims, claims
        assert -10 <= read(token("expired"))[1]["exp"] - now <= 9
        assert read(token("not-yet-valid"))[1]["nbf"] > now + 3500
        assert "exp" not in read(token("no-expiry"))[1]
        assert read(token("wrong-role"))[1]["role"] != "candidate"
        assert "sub" not in read(token("no-subject"))[1]
        assert read(token("wrong-owner"))[1]["sub"] != "candidate-1"
        assert read(token("wrong-interview"))[1]["interview_id"]
        assert read(token("wrong-key"))[::2] == ("HS256", False)
        assert token("alg-none").endswith(".") and read(token("alg-none"))[0] == "none"
        assert read(token("alg-hs512"))[::2] == ("HS512", True)

    def test_options(self):
        _, claims, good = read(token("--candidate", "c-7", "--interview", "i-7", "--for", "5", "--jwt-secret", "s"), "s")
        assert good and claims["sub"] == "c-7" and claims["interview_id"] == "i-7", claims
        assert claims["exp"] - claims["iat"] == 5, claims
        assert read(token(OJIN_MOCK_JWT_SECRET="of-the-environment"), "of-the-environment")[2]
        assert read(token("--jwt-secret", "s", OJIN_MOCK_JWT_SECRET="e"), "s")[2]

    def test_wrong_usage(self):
        for words, sentence in (
                (("alg-non",), 'there is no kind "alg-non"; did you mean "alg-none"'),
                (("valid", "expired"), "expected one kind"),
                (("--for", "0"), "--for: expected whole seconds"),
                (("--for",), "--for needs a value"),
                (("--fro", "1"), "is no option"),
                (("--candidate", ""), "--candidate: expected 1 to 255 bytes"),
                (("--interview", "x" * 256), "--interview: expected 1 to 255 bytes"),
                (("--jwt-secret", ""), "--jwt-secret: expected a secret"),
                (("--jwt-secret", "secret" * 1000), "--jwt-secret: expected a secret")):
            done = run(*words)
            assert done.returncode == 2 and done.stdout == "" and sentence in done.stderr, (words, done)
            assert done.stderr.count("\n") == 1 and "secretsecret" not in done.stderr, done
        assert "Usage: ojin-mock token" in run("--help").stdout


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
