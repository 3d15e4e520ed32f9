"""Escapes of a pattern (ECMA-262 annex B.1.2, without flags)."""

from __future__ import annotations

import re
from typing import Callable, Dict, NamedTuple, Optional

from .units import DIGITS, SPACE, WORD, Units, complement

_CLASSES: Dict[str, Units] = {"d": DIGITS, "s": SPACE, "w": WORD}
_CLASSES.update({name.upper(): complement(units) for name, units in [*_CLASSES.items()]})
_CONTROLS = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}
_HEX = {"x": re.compile("[0-9A-Fa-f]{2}"), "u": re.compile("[0-9A-Fa-f]{4}")}
_OCTAL = re.compile("[0-3][0-7]{0,2}|[4-7][0-7]?")


class Escape(NamedTuple):
    """What stands behind a backslash.

    :ivar end: where it ends
    :ivar units: the set of a class escape such as `\\d`
    :ivar code: the code unit of any other
    :ivar idle: the escape says nothing that its letter or digit does not say alone
    """

    end: int
    units: Optional[Units] = None
    code: int = 0
    idle: bool = False


def read_escape(text: str, at: int, in_class: bool) -> Escape:
    """Reads the escape whose backslash stands at `at`; there is a character behind it."""
    letter = text[at + 1]
    if letter in _CLASSES:
        return Escape(at + 2, _CLASSES[letter])
    if letter in _CONTROLS:
        return Escape(at + 2, code=_CONTROLS[letter])
    if letter == "b" and in_class:
        return Escape(at + 2, code=8)
    read = _READERS.get(letter)
    if read:
        return read(text, at, in_class)
    idle = letter.isascii() and letter.isalnum()
    return Escape(at + 2, code=ord(letter), idle=idle)


def _control(text: str, at: int, in_class: bool) -> Escape:
    letter = text[at + 2 : at + 3]
    if re.fullmatch("[A-Za-z]", letter) or (in_class and re.fullmatch("[0-9_]", letter)):
        return Escape(at + 3, code=ord(letter) % 32, idle=not letter.isalpha())
    # The backslash stands for itself, and the `c` behind it too.
    return Escape(at + 1, code=ord("\\"), idle=True)


def _digits(text: str, at: int, in_class: bool) -> Escape:
    match = _HEX[text[at + 1]].match(text, at + 2)
    if match:
        return Escape(match.end(), code=int(match[0], 16))
    return Escape(at + 2, code=ord(text[at + 1]), idle=True)


def _octal(text: str, at: int, in_class: bool) -> Escape:
    match = _OCTAL.match(text, at + 1)
    if not match:
        return Escape(at + 2, code=ord(text[at + 1]), idle=True)
    nul = match[0] == "0" and text[match.end() : match.end() + 1] not in ("8", "9")
    return Escape(match.end(), code=int(match[0], 8), idle=not nul)


_READERS: Dict[str, Callable[[str, int, bool], Escape]] = {"c": _control, "x": _digits, "u": _digits}
_READERS.update({digit: _octal for digit in "0123456789"})
