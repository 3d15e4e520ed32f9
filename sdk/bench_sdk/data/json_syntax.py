"""Where and why a text is no JSON. Mirrors `lib/data/json_syntax.ts`."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Optional, Tuple

_SPACE = re.compile("[ \\t\\n\\r]*")
#: RFC 8259 sections 2, 3, 6 and 7.
_TOKEN = re.compile(
    r"[{}\[\]:,]"
    r"|\"(?:[ !#-\[\]-\U0010ffff]|\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}))*\""
    r"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null"
)
_EXPECTED = {
    "value": "a value",
    "item or ]": "a value or `]`",
    "key": "a key in double quotes",
    "key or }": "a key in double quotes or `}`",
    ":": "`:`",
    "next": "`,` or the end of the list or object",
    "end": "the end of the file",
}


class JsonOutline(NamedTuple):
    """What a walk over the tokens finds.

    :ivar items: offset of each item of the outermost list
    :ivar mistake: offset of the first token that does not fit, and what should
        have stood there
    """

    items: List[int]
    mistake: Optional[Tuple[int, str]] = None


def outline_json(text: str) -> JsonOutline:
    """Walks over the tokens of `text`."""
    items: List[int] = []
    inside: List[str] = []
    state, at = "value", 0
    while True:
        at = _skip(_SPACE, text, at)
        if state == "end" and at == len(text):
            return JsonOutline(items)
        end = _skip(_TOKEN, text, at)
        token, depth = text[at:end], len(inside)
        after = _step(token, state, inside)
        if after is None:
            return JsonOutline(items, (at, _EXPECTED[state]))
        is_item = state in ("value", "item or ]") and token != "]"
        if is_item and depth == 1 and inside[0] == "[":
            items.append(at)
        state, at = after, end


def _step(token: str, state: str, inside: List[str]) -> Optional[str]:
    """The state behind one token more; None when it does not fit."""
    innermost = inside[-1] if inside else ""
    if state in ("value", "item or ]"):
        if token == "]" and state == "item or ]":
            return _close(inside)
        if token in ("[", "{"):
            inside.append(token)
            return "item or ]" if token == "[" else "key or }"
        if token == "" or token[0] in "}]:,":
            return None
        return "next" if inside else "end"
    if state in ("key", "key or }"):
        if token == "}" and state == "key or }":
            return _close(inside)
        return ":" if token.startswith('"') else None
    if state == ":":
        return "value" if token == ":" else None
    if state == "end":
        return None
    if token == ",":
        return "value" if innermost == "[" else "key"
    return _close(inside) if token == {"[": "]", "{": "}"}[innermost] else None


def _close(inside: List[str]) -> str:
    inside.pop()
    return "next" if inside else "end"


def _skip(pattern: "re.Pattern[str]", text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
