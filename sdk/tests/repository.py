"""Where the files lie that both languages' tests read."""

from __future__ import annotations

import json
import os
from typing import Any

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GOLDEN = os.path.join(ROOT, "tests", "golden", "ir")


def vectors(name: str) -> Any:
    """A file of `tests/vectors`."""
    with open(os.path.join(ROOT, "tests", "vectors", name), encoding="utf-8") as file:
        return json.load(file)
