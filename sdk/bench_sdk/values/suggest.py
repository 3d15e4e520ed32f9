"""The name a person most likely meant."""

from __future__ import annotations

from typing import Iterable, List, Optional


def nearest(word: str, candidates: Iterable[str]) -> Optional[str]:
    """The nearest candidate, or None when none is near.

    At most a third of the longer word may differ, and at most three edits.
    Letter case and `-`/`_` differences are free.
    """
    if word == "":
        return None
    best: Optional[str] = None
    best_distance = float("inf")
    for candidate in candidates:
        distance = _edits(_plain(word), _plain(candidate))
        limit = min(3, max(len(word), len(candidate)) // 3 or 1)
        if distance <= limit and distance < best_distance:
            best, best_distance = candidate, distance
    return best


def _plain(word: str) -> str:
    return word.lower().replace("-", "_")


def _edits(a: str, b: str) -> int:
    """Optimal string alignment: insert, delete, replace, swap two neighbours."""
    before: List[int] = []
    previous = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        row = [i]
        for j in range(1, len(b) + 1):
            same = a[i - 1] == b[j - 1]
            cost = min(row[j - 1] + 1, previous[j] + 1, previous[j - 1] + (not same))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, previous = previous, row
    return previous[len(b)]
