"""RFC 8785, from the vectors the TypeScript tests read too."""

from __future__ import annotations

import json
import struct
import unittest

from bench_sdk import FlowError
from bench_sdk.values.canonical import canonical

from .repository import vectors


class Canonical(unittest.TestCase):
    def test_numbers_are_written_as_ecmascript_does(self) -> None:
        for row in vectors("jcs/numbers.json")["rows"]:
            (value,) = struct.unpack(">d", bytes.fromhex(row["ieee754"]))
            self.assertEqual(canonical(value), row["json"], row)

    def test_strings_and_keys(self) -> None:
        for row in vectors("jcs/strings.json")["rows"]:
            self.assertEqual(canonical(json.loads(row["input"])), row["json"], row["name"])

    def test_half_a_surrogate_pair_is_refused(self) -> None:
        for text in vectors("jcs/strings.json")["refused"]:
            with self.assertRaises(FlowError) as caught:
                canonical(json.loads(text))
            self.assertEqual(caught.exception.code, "lone-surrogate")

    def test_what_json_cannot_say_is_refused(self) -> None:
        for value, code in (
            (float("nan"), "number-out-of-range"),
            (float("-inf"), "number-out-of-range"),
            (2**53, "number-out-of-range"),
            (b"bytes", "wrong-type"),
            ({1, 2}, "wrong-type"),
        ):
            with self.assertRaises(FlowError) as caught:
                canonical(value)  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, code, value)
