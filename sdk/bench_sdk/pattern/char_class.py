"""Classes in brackets (ECMA-262 annex B.1.2, ClassContents)."""

from __future__ import annotations

from typing import Callable, List, Tuple

from .mistake import PatternMistake
from .units import Units, union

#: Reads the escape at a place, in a class or not; gives its set and its end.
ReadEscape = Callable[[int, bool], Tuple[Units, int]]
_DASH = (0x2D, 0x2D)


def read_class(text: str, at: int, read_escape: ReadEscape) -> Tuple[Units, bool, int]:
    """The set of the class that begins at `at`, whether it is negated, and its end.

    :raises PatternMistake: in V8's words
    """

    def member() -> Units:
        nonlocal at
        if text[at] == "\\":
            units, at = read_escape(at, True)
            return units
        code = ord(text[at])
        at += 1
        return ((code, code),)

    negated = text[at + 1 : at + 2] == "^"
    at += 2 if negated else 1
    runs: List[Tuple[int, int]] = []
    while text[at : at + 1] not in ("", "]"):
        first = member()
        if text[at : at + 1] != "-":
            runs += first
            continue
        at += 1
        if text[at : at + 1] in ("", "]"):
            runs += [*first, _DASH]
            continue
        last = member()
        if not _is_single(first) or not _is_single(last):
            # A class such as `\d` at one end: the dash stands for itself.
            runs += [*first, _DASH, *last]
        elif first > last:
            raise PatternMistake("Range out of order in character class")
        else:
            runs.append((first[0][0], last[0][0]))
    if at >= len(text):
        raise PatternMistake("Unterminated character class")
    return union(runs), negated, at + 1


def _is_single(units: Units) -> bool:
    return len(units) == 1 and units[0][0] == units[0][1]
