"""ECMAScript regular expressions, as far as Python's engine can follow.

Where the two differ, the pattern is rewritten: `\\d`, `\\w` and `\\b` mean ASCII,
`$` means the very end, `(?<name>...)` is a named group, `\\/` a slash.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Match, Pattern

_TOKEN = re.compile(
    r"\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\k<[^>]*>|\\.|"
    r"\(\?<(?![=!])|\(\?P|\[\^\]|\[\]|\$|\.|\[|\]",
    re.DOTALL,
)
_KEPT = set("dDwWsSbBtnrfv")
_SPACE = r"\s\ufeff\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
#: What `.` does not match in ECMAScript.
_LINE_ENDS = r"\n\r\u2028\u2029"


@lru_cache(maxsize=256)
def compile_ecma(pattern: str) -> Pattern[str]:
    """Compiles an ECMAScript pattern.

    :raises ValueError: when it is malformed, or has no counterpart in Python
    """
    inside_class = False

    def replace(match: Match[str]) -> str:
        nonlocal inside_class
        token = match[0]
        if token == "[" and not inside_class:
            inside_class = True
        elif token == "[":
            return r"\["
        elif token == "]":
            inside_class = False
        elif token in ("[]", "[^]"):
            if not inside_class:
                return "(?!)" if token == "[]" else r"[\s\S]"
            inside_class = False
            return "\\" + token
        elif token == "$" and not inside_class:
            return r"\Z"
        elif token == "." and not inside_class:
            return f"[^{_LINE_ENDS}]"
        elif token == "(?P":
            raise ValueError(f"Invalid regular expression: /{pattern}/: Invalid group")
        elif token == "(?<":
            return "(?P<" if not inside_class else token
        elif token[0] == "\\":
            return _escape(token, inside_class)
        return token

    try:
        return re.compile(_TOKEN.sub(replace, pattern), re.ASCII)
    except re.error as error:
        raise ValueError(f"Invalid regular expression: /{pattern}/: {error}") from None


def _escape(token: str, inside_class: bool) -> str:
    letter = token[1:2]
    if token.startswith("\\k<"):
        return f"(?P={token[3:-1]})"
    if token.startswith("\\u{"):
        # Without the u flag `\u{61}` is the letter u, 61 times.
        return "u" + token[2:]
    if len(token) == 6 or (len(token) == 4 and letter == "x"):
        return token
    if letter == "c" and len(token) == 3:
        return f"\\x{ord(token[2]) % 32:02x}"
    if letter == "s":
        return _SPACE if inside_class else f"[{_SPACE}]"
    if letter == "S" and not inside_class:
        return f"[^{_SPACE}]"
    if letter in _KEPT:
        return token
    if letter == "0":
        return r"\x00"
    if letter.isdigit():
        return token
    return re.escape(letter)
