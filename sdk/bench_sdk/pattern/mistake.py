"""What is wrong with a pattern. The words stand in `lib/expr/pattern.ts` too."""

from __future__ import annotations

import re


class PatternMistake(ValueError):
    """The reason alone, such as `Unterminated group`."""


def idle_reason(rest: str) -> str:
    """Why an escape that V8 takes for its letter is refused.

    :param rest: the pattern behind the backslash
    """
    letter = rest[0]
    number = re.match("[1-9][0-9]*", rest)
    if number:
        return f"\\{number[0]} refers to no group"
    return {
        "0": "\\0 stands before a digit",
        "c": "\\c needs a letter",
        "k": "\\k refers to no named group",
        "u": "\\u needs four hexadecimal digits",
        "x": "\\x needs two hexadecimal digits",
    }.get(letter, f"\\{letter} is no escape")


_HINTS = (
    (r"\(\?P[<=>]", "a named group is (?<name>...), and \\k<name> refers to it"),
    (r"\\[AZz]", "^ is the start of the text, and $ its end"),
    (r"\\[pP]\{|\\u\{", "patterns have no `u` flag: list the characters, such as [A-Za-zÀ-ÿ]"),
    (r"\(\?>|[*+?}]\+", "there are no possessive quantifiers and no atomic groups"),
    (r"\(\?[a-zA-Z]+\)", "flags hold inside a group: (?i:...)"),
)


def pattern_hint(pattern: str) -> str:
    """The way out, for what people bring from other languages."""
    for brought, hint in _HINTS:
        if re.search(brought, pattern):
            return hint
    return "patterns are ECMAScript regular expressions without slashes"
