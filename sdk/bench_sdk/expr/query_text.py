"""The text of a JSON path while it is read."""

from __future__ import annotations

import json
import re
from typing import Optional, Pattern

_STRING = re.compile(r"'((?:[^'\\\x00-\x1f]|\\.)*)'|\"((?:[^\"\\\x00-\x1f]|\\.)*)\"")


class QueryText:
    """A place in a path, moving forward."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    @property
    def rest(self) -> str:
        """What was not read yet."""
        return self.text[self.at :]

    @property
    def at_end(self) -> bool:
        """Whether everything was read."""
        return self.at >= len(self.text)

    def space(self) -> None:
        """Skips blank space (RFC 9535 section 2.1.1)."""
        while self.text[self.at : self.at + 1] in (" ", "\t", "\n", "\r"):
            self.at += 1

    def peek(self, text: str) -> bool:
        """Whether `text` stands here."""
        return self.text.startswith(text, self.at)

    def take(self, text: str) -> bool:
        """Reads `text` when it stands here."""
        if not self.peek(text):
            return False
        self.at += len(text)
        return True

    def take_word(self, word: str) -> bool:
        """Reads `word` when it stands here as a whole word."""
        if not re.compile(rf"{word}(?![A-Za-z0-9_])").match(self.text, self.at):
            return False
        self.at += len(word)
        return True

    def expect(self, text: str) -> None:
        """:raises ValueError: when `text` does not stand here"""
        if not self.take(text):
            raise self.error(f"expected {text!r}")

    def match(self, pattern: Pattern[str]) -> Optional[str]:
        """Reads what `pattern` matches here, if anything."""
        found = pattern.match(self.text, self.at)
        if not found:
            return None
        self.at = found.end()
        return found[0]

    def string(self) -> str:
        """Reads a quoted string (RFC 9535 section 2.3.1.1)."""
        found = _STRING.match(self.text, self.at)
        if not found:
            raise self.error("this string is not closed")
        single, double = found.groups()
        inside = double if single is None else single
        if single is not None:
            inside = re.sub(r'(?<!\\)"', r"\"", inside.replace("\\'", "'"))
        try:
            value = str(json.loads(f'"{inside}"'))
            # Half a surrogate pair is no character.
            value.encode("utf-8")
        except ValueError:
            raise self.error("this string has an illegal escape") from None
        self.at = found.end()
        return value

    def error(self, why: str) -> ValueError:
        """The error for a mistake at this place."""
        return ValueError(f"{self.text} is not a JSON path: {why} at {self.at}")
