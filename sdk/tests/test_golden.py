"""Every case of `tests/golden/ir`: Python gives the bytes YAML gives."""

from __future__ import annotations

import os
import unittest
from typing import Any, Callable

from bench_sdk.load import load_flow

from .repository import GOLDEN

CASES = sorted(name for name in os.listdir(GOLDEN) if os.path.isdir(os.path.join(GOLDEN, name)))


class GoldenIr(unittest.TestCase):
    def test_there_are_at_least_forty_cases(self) -> None:
        self.assertGreaterEqual(len(CASES), 40)


def _case(name: str) -> Callable[[Any], None]:
    def test(self: unittest.TestCase) -> None:
        folder = os.path.join(GOLDEN, name)
        with open(os.path.join(folder, "ir.json"), "rb") as file:
            expected = file.read()
        self.assertEqual(load_flow(os.path.join(folder, "flow.py")).to_json(), expected)

    return test


for _name in CASES:
    setattr(GoldenIr, f"test_{_name.replace('-', '_')}_gives_the_same_bytes", _case(_name))
