"""Patterns of `matches`: the vectors that the engine's tests read too."""

from __future__ import annotations

import unittest
import warnings

from bench_sdk import Flow, FlowError, NeedsRunError
from bench_sdk.pattern.ecmascript import compile_pattern

from .repository import vectors

VECTORS = vectors("patterns/patterns.json")


class Patterns(unittest.TestCase):
    def test_they_match_what_ecmascript_matches(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for pattern, text, found, *_ in VECTORS["matches"]:
                with self.subTest(pattern, text=text):
                    self.assertEqual(compile_pattern(pattern).search(text), found)

    def test_what_is_wrong_or_says_nothing_is_refused_in_the_engines_words(self) -> None:
        for pattern, reason, hint in VECTORS["refused"]:
            with self.subTest(pattern), self.assertRaises(FlowError) as caught:
                self._flow(pattern)
            error = caught.exception
            self.assertEqual(error.code, "assertion-pattern")
            self.assertEqual(error.message, f"Invalid regular expression: /{pattern}/: {reason}")
            self.assertEqual(error.hint, hint)

    def test_what_re_cannot_match_is_left_to_bench_before_anything_is_sent(self) -> None:
        for pattern, what in VECTORS["needs_run"]:
            flow = self._flow(pattern)
            with self.subTest(pattern), self.assertRaises(NeedsRunError) as caught:
                flow.execute("http://127.0.0.1:1")
            self.assertIn(what, caught.exception.message)
            self.assertIn("`get`", caught.exception.message)

    def _flow(self, pattern: str) -> Flow:
        flow = Flow("patterns")
        step = {"id": "get", "call": "GET /", "assert": [f"$.a matches '{pattern}'"]}
        if "'" in pattern:
            step["assert"] = [f"$.a matches {pattern}"]
        flow.step(step)
        return flow
