"""Sets of UTF-16 code units, which is what a pattern without flags matches."""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, Iterable, List, Set, Tuple

#: First and last of each run, ascending, with gaps between the runs.
Units = Tuple[Tuple[int, int], ...]

LAST = 0xFFFF
NOTHING: Units = ()
DIGITS: Units = ((0x30, 0x39),)
WORD: Units = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
#: ECMA-262 section 12.3.
LINE_ENDS: Units = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
#: WhiteSpace and LineTerminator (ECMA-262 sections 12.2 and 12.3).
SPACE: Units = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)


def code_units(text: str) -> str:
    """`text` with each character beyond U+FFFF as its two surrogates."""
    if text.isascii() or max(text) <= chr(LAST):
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, memoryview(data).cast("H")))


def characters(units: str) -> str:
    """The inverse of `code_units`."""
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def union(runs: Iterable[Tuple[int, int]]) -> Units:
    """The set that holds every run."""
    joined: List[Tuple[int, int]] = []
    for first, last in sorted(runs):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)


def complement(units: Units) -> Units:
    """Every code unit that `units` lacks."""
    runs: List[Tuple[int, int]] = []
    start = 0
    for first, last in units:
        if first > start:
            runs.append((start, first - 1))
        start = last + 1
    return tuple(runs) if start > LAST else (*runs, (start, LAST))


def any_case(units: Units) -> Units:
    """`units` with all that are equal to one of them when case is ignored."""
    more: Set[int] = set()
    for same in _case_classes():
        if any(first <= each <= last for each in same for first, last in units):
            more.update(same)
    return union([*units, *((each, each) for each in more)])


@lru_cache(maxsize=None)
def _case_classes() -> Tuple[Tuple[int, ...], ...]:
    """Code units that ECMA-262 section 22.2.2.7.3 (Canonicalize) makes equal."""
    classes: Dict[int, List[int]] = {}
    for code in range(LAST + 1):
        upper = chr(code).upper()
        same = ord(upper) if len(upper) == 1 and ord(upper) <= LAST else code
        if code >= 0x80 > same:
            same = code
        classes.setdefault(same, []).append(code)
    return tuple(tuple(each) for each in classes.values() if len(each) > 1)
