"""Every case of `tests/golden/ir`: Python gives the bytes YAML gives."""

from __future__ import annotations

import os
import unittest

from bench_sdk.load import load_flow

from .repository import GOLDEN

CASES = sorted(name for name in os.listdir(GOLDEN) if os.path.isdir(os.path.join(GOLDEN, name)))


class GoldenIr(unittest.TestCase):
    def test_every_case_gives_the_same_bytes(self) -> None:
        self.assertGreaterEqual(len(CASES), 40)
        for name in CASES:
            folder = os.path.join(GOLDEN, name)
            with self.subTest(name), open(os.path.join(folder, "ir.json"), "rb") as file:
                expected = file.read()
                self.assertEqual(load_flow(os.path.join(folder, "flow.py")).to_json(), expected)
