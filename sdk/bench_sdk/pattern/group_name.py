"""Names of groups, and which of them may stand twice."""

from __future__ import annotations

import re
from typing import Dict, List, Tuple

from .mistake import PatternMistake
from .nodes import Back
from .units import characters

_ESCAPE = re.compile(r"\\u(?:\{([0-9A-Fa-f]+)\}|([dD][89abAB][0-9A-Fa-f]{2})\\u([dD][c-fC-F][0-9A-Fa-f]{2})|([0-9A-Fa-f]{4}))")
#: Zero-width joiners may stand inside a name.
_JOINERS = str.maketrans("", "", "\u200c\u200d")


def read_group_name(text: str, at: int) -> Tuple[str, int]:
    """The name that begins at `at`, and where its `>` ends.

    :raises PatternMistake: for what is no ECMAScript identifier
    """
    name = ""
    while text[at : at + 1] != ">":
        if at >= len(text):
            raise PatternMistake("Invalid capture group name")
        if text[at : at + 1] == "\\":
            code, at = _escaped(text, at)
            name += chr(code)
        else:
            pair = characters(text[at : at + 2])
            name += pair if len(pair) == 1 else text[at : at + 1]
            at += 2 if len(pair) == 1 and ord(pair) > 0xFFFF else 1
        if not _is_identifier(name):
            raise PatternMistake("Invalid capture group name")
    if name == "":
        raise PatternMistake("Invalid capture group name")
    return name, at + 1


def _escaped(text: str, at: int) -> Tuple[int, int]:
    if text[at + 1 : at + 2] != "u":
        raise PatternMistake("Invalid capture group name")
    match = _ESCAPE.match(text, at)
    if not match:
        raise PatternMistake("Invalid Unicode escape")
    braced, high, low, plain = match.groups()
    if high:
        code = 0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)
    else:
        code = int(braced or plain, 16)
    if code > 0x10FFFF:
        raise PatternMistake("Invalid Unicode escape")
    return code, match.end()


def _is_identifier(name: str) -> bool:
    """ECMA-262 section 12.7; `$` may stand anywhere."""
    plain = name.replace("$", "_")
    return plain[:1].isidentifier() and (plain + "_").translate(_JOINERS).isidentifier()


class GroupNames:
    """The named groups of a pattern.

    A name may stand again where both cannot take part in one match: in another
    branch of the same choice (ECMA-262 section 22.2.1.1).
    """

    def __init__(self, exist: bool) -> None:
        #: Whether the pattern has named groups at all.
        self.exist = exist
        #: Shared with every `Back`, which may stand before its group.
        self._numbers: Dict[str, List[int]] = {}
        #: Where each group of a name stands: groups around it, and their branches.
        self._places: Dict[str, List[Dict[int, int]]] = {}
        self._entered = 0
        self._here: Dict[int, int] = {0: 0}

    def enter(self) -> None:
        """A group opens."""
        self._entered += 1
        self._here[self._entered] = 0

    def leave(self) -> None:
        """The innermost group closes."""
        self._here.popitem()

    def next_branch(self) -> None:
        """A `|` in the innermost group."""
        self._here[next(reversed(self._here))] += 1

    def define(self, name: str, number: int) -> None:
        """A named group opens; called before `enter`."""
        self._numbers.setdefault(name, []).append(number)
        self._places.setdefault(name, []).append(dict(self._here))

    def settle(self, name: str) -> None:
        """A named group closed; called after `leave`.

        :raises PatternMistake: when another group has its name
        """
        *others, _ = self._places[name]
        for place in others:
            if all(place.get(group, branch) == branch for group, branch in self._here.items()):
                raise PatternMistake("Duplicate capture group name")

    def reference(self, name: str, any_case: bool) -> Back:
        """A `\\k<name>`."""
        return Back(self._numbers.setdefault(name, []), any_case)

    def check(self) -> None:
        """:raises PatternMistake: for a reference to a name that no group has"""
        if not all(self._numbers.values()):
            raise PatternMistake("Invalid named capture referenced")
