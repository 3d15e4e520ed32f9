"""Flags of a group: `(?i-m:...)` (ECMA-262 section 22.2.1)."""

from __future__ import annotations

from typing import Tuple

from .mistake import PatternMistake


def read_modifiers(text: str, at: int, flags: str) -> Tuple[str, int]:
    """The flags that hold inside the group, and where its `:` ends.

    :param at: behind the `?`
    :param flags: those that hold around the group
    :raises PatternMistake: in V8's words
    """
    seen, removed = "", ""
    removing = False
    while True:
        char = text[at : at + 1]
        at += 1
        if char == "-":
            if removing:
                raise PatternMistake("Multiple dashes in flag group")
            removing = True
        elif char in ("i", "m", "s"):
            if char in seen:
                raise PatternMistake("Repeated flag in flag group")
            seen += char
            removed += char if removing else ""
        elif char == ":" and seen:
            return "".join(set(flags + seen) - set(removed)), at
        else:
            raise PatternMistake("Invalid flag group" if char == ":" else "Invalid group")
