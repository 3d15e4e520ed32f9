"""HMAC signatures, from the vectors the engine's tests read too."""

from __future__ import annotations

import unittest

from bench_sdk import hmac
from bench_sdk.auth.authorizer import Authorizer, Draft
from bench_sdk.auth.read import read_auth
from bench_sdk.auth.tokens import Tokens
from bench_sdk.run.scope import Scope
from bench_sdk.wire.clock import Clock

from .repository import vectors


class Fixed(Clock):
    """A wall clock that stands still."""

    def __init__(self, seconds: float) -> None:
        self._ms = seconds * 1_000

    def wall(self) -> float:
        return self._ms


class Signatures(unittest.TestCase):
    def test_the_vectors(self) -> None:
        for case in vectors("hmac/requests.json")["cases"]:
            with self.subTest(case["name"]):
                block = read_auth(hmac("{{ env.SECRET }}", **case["block"]))
                assert block is not None
                clock = Fixed(case["timestamp"])
                tokens = Tokens(lambda url, headers, body: (500, ""), clock, str)
                env = {"SECRET": case["secret"]}
                made = Authorizer(block, env, clock, str, tokens)
                request = case["request"]
                draft = Draft(
                    request["method"],
                    request["path"],
                    request["query"],
                    bytes.fromhex(request["body_hex"]),
                )
                fields = made.sign(draft, Scope(env, {}, {}))
                self.assertEqual([list(each) for each in fields], case["headers"])
