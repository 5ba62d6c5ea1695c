#!/usr/bin/env python3
"""Writes token_vectors.def: tokens of every wrong kind, made with Python's own hmac, each with its verdict.

python3 token_vectors.py > token_vectors.def
"""

import base64
import hashlib
import hmac
import json

SECRET = b"a-secret-for-golden-tokens-only-1"
NOW = 1700000000
INTERVIEW = "6d0b1a5e-3c1f-4f0e-9f57-0a8f5d3c2b11"
OTHER = "00000000-0000-4000-8000-000000000001"
GOOD = {"sub": "candidate-1", "role": "candidate", "exp": NOW + 60}
HS256 = {"alg": "HS256", "typ": "JWT"}


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def part(value):
    return encode(value if isinstance(value, bytes) else json.dumps(value).encode())


def token(claims, header=HS256, key=SECRET, digest=hashlib.sha256, signature=None):
    signed = f"{part(header)}.{part(claims)}"
    if signature is None:
        signature = encode(hmac.new(key, signed.encode(), digest).digest())
    return f"{signed}.{signature}"


def claims(**changes):
    return {name: value for name, value in {**GOOD, **changes}.items() if value is not None}


GOOD_TOKEN = token(GOOD)
ROWS = [
    ("good", GOOD_TOKEN, "GOOD"),
    ("without typ", token(GOOD, {"alg": "HS256"}), "GOOD"),
    ("expires in the next second", token(claims(exp=NOW + 1)), "GOOD"),
    ("expires within this second", token(claims(exp=NOW + 0.5)), "GOOD"),
    ("good since this second", token(claims(nbf=NOW)), "GOOD"),
    ("for this interview", token(claims(interview_id=INTERVIEW)), "GOOD"),
    ("for this interview, in capitals", token(claims(interview_id=INTERVIEW.upper())), "GOOD"),
    ("claims that nobody knows", token(claims(jti="1", nested={"a": [1]})), "GOOD"),
    ("missing", "", "MISSING"),
    ("one part", "garbage", "MALFORMED"),
    ("two parts", GOOD_TOKEN.rsplit(".", 1)[0], "MALFORMED"),
    ("four parts", GOOD_TOKEN + ".x", "MALFORMED"),
    ("dots alone", "..", "MALFORMED"),
    ("no JSON in it", "abc.def.ghi", "MALFORMED"),
    ("padded", GOOD_TOKEN + "=", "MALFORMED"),
    ("a blank in front", " " + GOOD_TOKEN, "MALFORMED"),
    ("a newline behind", GOOD_TOKEN + "\\n", "MALFORMED"),
    ("claims are a list", token([GOOD]), "MALFORMED"),
    ("header is a list", token(GOOD, ["HS256"]), "MALFORMED"),
    ("alg is missing", token(GOOD, {"typ": "JWT"}), "MALFORMED"),
    ("alg is a number", token(GOOD, {"alg": 256}), "MALFORMED"),
    ("alg none, no signature", token(GOOD, {"alg": "none"}, signature=""), "ALGORITHM"),
    ("alg none, signed", token(GOOD, {"alg": "none"}), "ALGORITHM"),
    ("alg None", token(GOOD, {"alg": "None"}, signature=""), "ALGORITHM"),
    ("alg in small letters", token(GOOD, {"alg": "hs256"}), "ALGORITHM"),
    ("alg unknown", token(GOOD, {"alg": "XS1"}), "MALFORMED"),
    ("HS512, rightly signed", token(GOOD, {"alg": "HS512"}, digest=hashlib.sha512), "ALGORITHM"),
    ("HS384, rightly signed", token(GOOD, {"alg": "HS384"}, digest=hashlib.sha384), "ALGORITHM"),
    ("RS256, the secret as key", token(GOOD, {"alg": "RS256"}), "ALGORITHM"),
    ("ES256, the secret as key", token(GOOD, {"alg": "ES256"}), "ALGORITHM"),
    ("critical extension", token(GOOD, {"alg": "HS256", "crit": ["b64"], "b64": False}), "ALGORITHM"),
    ("no signature", token(GOOD, signature=""), "SIGNATURE"),
    ("signature cut", GOOD_TOKEN[:-1], "SIGNATURE"),
    ("signature longer", GOOD_TOKEN + "A", "SIGNATURE"),
    ("another secret", token(GOOD, key=b"another-secret-for-golden-tokens"), "SIGNATURE"),
    ("empty secret", token(GOOD, key=b""), "SIGNATURE"),
    ("signed with SHA-512", token(GOOD, digest=hashlib.sha512), "SIGNATURE"),
    ("claims changed", f"{GOOD_TOKEN.split('.')[0]}.{part(claims(sub='x'))}.{GOOD_TOKEN.split('.')[2]}", "SIGNATURE"),
    ("expired this second", token(claims(exp=NOW)), "EXPIRED"),
    ("expired a second ago", token(claims(exp=NOW - 1)), "EXPIRED"),
    ("exp is 0", token(claims(exp=0)), "EXPIRED"),
    ("exp is below 0", token(claims(exp=-1)), "MALFORMED"),
    ("exp is a text", token(claims(exp=str(NOW + 60))), "MALFORMED"),
    ("exp is missing", token(claims(exp=None)), "NO_EXPIRY"),
    ("good from the next second", token(claims(nbf=NOW + 1)), "NOT_YET"),
    ("nbf is a text", token(claims(nbf="x")), "MALFORMED"),
    ("role is another", token(claims(role="interviewer")), "WRONG_ROLE"),
    ("role is in capitals", token(claims(role="Candidate")), "WRONG_ROLE"),
    ("role is a list", token(claims(role=["candidate"])), "MALFORMED"),
    ("role is missing", token(claims(role=None)), "WRONG_ROLE"),
    ("sub is missing", token(claims(sub=None)), "NO_SUBJECT"),
    ("sub is empty", token(claims(sub="")), "NO_SUBJECT"),
    ("sub is a number", token(claims(sub=1)), "MALFORMED"),
    ("sub is another", token(claims(sub="candidate-2")), "WRONG_OWNER"),
    ("another interview", token(claims(interview_id=OTHER)), "WRONG_INTERVIEW"),
    ("interview is a number", token(claims(interview_id=6)), "MALFORMED"),
]

print("/* VECTOR(name, verdict, token): written by token_vectors.py. */")
for name, text, verdict in ROWS:
    pieces = [text[i:i + 100] for i in range(0, len(text), 100)] or [""]
    print(f'VECTOR("{name}", {verdict},\n       ' + "\n       ".join(f'"{piece}"' for piece in pieces) + ")")
