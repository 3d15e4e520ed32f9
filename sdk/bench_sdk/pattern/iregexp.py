"""I-Regexp (RFC 9485), the patterns of `match()` and `search()` in JSON paths.

A pattern that is none matches nothing (RFC 9535 section 2.4.6). `^` and `$` are
anchors, as they are for the engine, which hands what it has checked to ECMAScript.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import List, Optional, Pattern

_ESCAPED = re.compile(r"\\([()*+\-.?\[\\\]^nrt{|}])")
_CATEGORY = re.compile(
    r"\\([pP])\{(L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)\}"
)
# The engine's library takes no character beyond U+FFFF, so neither does this.
_NORMAL = re.compile(r"[^()*+.?\[\\\]{|}\ud800-\udfff\U00010000-\U0010ffff]")
_IN_CLASS = re.compile(r"[^\-\[\\\]\ud800-\udfff\U00010000-\U0010ffff]")
_QUANTIFIER = re.compile(r"[*+?]|\{([0-9]+)(?:(,)([0-9]+)?)?\}")
_MAX_NESTING = 64


@lru_cache(maxsize=256)
def compile_iregexp(pattern: str, whole: bool) -> Optional[Pattern[str]]:
    """The pattern for `re`, None when it matches nothing.

    :param whole: it must match all of a text, as `match()` wants
    """
    try:
        source = _Reader(pattern).read()
        # As the engine: an anchor at one end says that the author placed both.
        if whole and not (pattern.startswith("^") or pattern.endswith("$")):
            source = rf"\A(?:{source})\Z"
        return re.compile(source)
    except (_NoPattern, re.error, OverflowError, RecursionError):
        return None


class _NoPattern(Exception):
    """This is no I-Regexp."""


class _Reader:
    """Reads a pattern and writes it for `re` as it goes (RFC 9485 section 4)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def read(self) -> str:
        source = self._branches()
        if self._at < len(self._text):
            raise _NoPattern
        return source

    def _branches(self) -> str:
        parts: List[str] = []
        while self._at < len(self._text) and self._text[self._at] != ")":
            if self._text[self._at] == "|":
                self._at += 1
                parts.append("|")
            else:
                parts.append(self._piece())
        return "".join(parts)

    def _piece(self) -> str:
        anchor = {"^": r"\A", "$": r"\Z"}.get(self._text[self._at])
        self._at += anchor is not None
        atom = anchor or self._atom()
        quantifier = self._match(_QUANTIFIER)
        if not quantifier:
            return atom
        least, comma, most = quantifier.groups()
        if anchor or (most and int(most) < int(least)):
            raise _NoPattern
        if least is None:
            return f"(?:{atom}){quantifier[0]}"
        return f"(?:{atom}){{{_bound(least)}{comma or ''}{_bound(most) if most else ''}}}"

    def _atom(self) -> str:
        if self._take("("):
            self._depth += 1
            inner = self._branches()
            if not self._take(")") or self._depth > _MAX_NESTING:
                raise _NoPattern
            self._depth -= 1
            return f"(?:{inner})"
        if self._take("."):
            return r"[^\r\n]"
        if self._text[self._at] == "[":
            return self._class()
        normal = self._match(_NORMAL)
        if normal:
            return re.escape(normal[0])
        category = self._match(_CATEGORY)
        if category:
            return f"[{_members(category[2], category[1] == 'P')}]"
        char = self._escaped()
        # Outside a class ECMAScript has no `\-` under the `u` flag.
        if char == r"\-":
            raise _NoPattern
        return char

    def _class(self) -> str:
        self._take("[")
        negated = "^" if self._take("^") else ""
        parts: List[str] = [r"\-"] if self._take("-") else []
        while True:
            if self._take("-"):
                parts.append(r"\-")
                break
            if self._text.startswith("]", self._at):
                break
            category = self._match(_CATEGORY)
            parts.append(_members(category[2], category[1] == "P") if category else self._run())
        if not self._take("]") or not parts:
            raise _NoPattern
        return f"[{negated}{''.join(parts)}]"

    def _run(self) -> str:
        first = self._member()
        if self._text.startswith("-", self._at) and not self._text.startswith("-]", self._at):
            self._at += 1
            return f"{first}-{self._member()}"
        return first

    def _member(self) -> str:
        plain = self._match(_IN_CLASS)
        return f"\\U{ord(plain[0]):08x}" if plain else self._escaped()

    def _escaped(self) -> str:
        match = self._match(_ESCAPED)
        if not match:
            raise _NoPattern
        return f"\\{match[1]}"

    def _take(self, text: str) -> bool:
        found = self._text.startswith(text, self._at)
        self._at += len(text) if found else 0
        return found

    def _match(self, pattern: Pattern[str]) -> Optional["re.Match[str]"]:
        match = pattern.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return match


def _bound(digits: str) -> int:
    return min(int(digits), 2**31 - 1)


@lru_cache(maxsize=None)
def _members(category: str, others: bool) -> str:
    """The characters of a general category, or all others, as the inside of a class."""
    parts: List[str] = []
    start = -1
    for code in range(0x110000):
        inside = unicodedata.category(chr(code)).startswith(category) != others
        if inside and start < 0:
            start = code
        elif not inside and start >= 0:
            parts.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = -1
    if start >= 0:
        parts.append(f"\\U{start:08x}-\\U0010ffff")
    return "".join(parts)
