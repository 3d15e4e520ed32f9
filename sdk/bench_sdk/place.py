"""Where in a Python file a mistake stands: the argument it is about, if it can be told."""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, NamedTuple, Optional

from .errors import BenchError
from .values.conceal import dotted, without_userinfo


#: What credentials are called, here and by people.
_CREDENTIALS = re.compile(
    "auth|bearer|basic|api_?key|cookie|hmac|token|passw|secret|credential", re.IGNORECASE
)
#: A literal text in quotes.
_LITERAL = re.compile(r"""(["'])((?:(?!\1)[^\\]|\\.)+)\1""")


class Place(NamedTuple):
    """1-based line and column, counted in characters, and how many to mark."""

    line: int
    column: int
    length: int


def place_of(source: str, line: int, error: BenchError) -> Place:
    """The part of the call at `line` that `error` speaks of; else all of the line."""
    lines = source.splitlines()
    call = _call_at(source, line)
    part = None if call is None else _part_of(call, error)
    if part is not None:
        return _marked(part, lines)
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    bare = text.strip()
    return Place(line, len(text) - len(text.lstrip()) + 1, max(1, len(bare)))


def shown_line(source: str, line: int) -> str:
    """The line, with dots for what may be a literal credential."""
    lines = source.splitlines()
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    text = without_userinfo(text)
    if not _CREDENTIALS.search(text):
        return text
    return _LITERAL.sub(lambda match: match[1] + dotted(match[2]) + match[1], text)


def frame(source: str, place: Place) -> str:
    """The source line, and carets below it; as `bench` writes them."""
    text = shown_line(source, place.line)
    number = str(place.line)
    gutter = " " * len(number)
    lead = re.sub("[^\t]", " ", text[: place.column - 1])
    carets = lead + "^" * place.length
    return f"{gutter} |\n{number} | {text}\n{gutter} | {carets}"


def _call_at(source: str, line: int) -> Optional[ast.Call]:
    """The smallest call that reaches over `line`."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    calls = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.Call) and each.lineno <= line <= (each.end_lineno or 0)
    ]
    # Of nested calls on one line the outer one raised: it was given what the inner made.
    starting = [each for each in calls if each.lineno == line]
    return min(starting or calls, key=_size, default=None)


def _size(call: ast.Call) -> int:
    return (call.end_lineno or 0) - call.lineno


def _part_of(call: ast.Call, error: BenchError) -> Optional[ast.AST]:
    """The text at fault, a keyword by its name, or a text that the message quotes."""
    for text in _texts(call):
        if error.about in (text.value, dotted(str(text.value))):
            return text
    keywords = {each.arg: each for each in call.keywords if each.arg}
    for word in re.findall("`([A-Za-z_]+)`", error.message):
        for name in (word, f"{word}_"):
            if name in keywords:
                unknown = error.code == "unknown-key"
                return keywords[name] if unknown else keywords[name].value
    quoted = _quoted(error.message)
    for text in _texts(call):
        value = str(text.value)
        if value != "" and any(value == each or each in value for each in quoted):
            return text
    return None


def _quoted(message: str) -> List[str]:
    """What a message quotes, the longest first."""
    found = re.findall(r'"([^"]+)"|(\{\{.*?\}\})', message)
    return sorted((a or b for a, b in found), key=len, reverse=True)


def _texts(call: ast.Call) -> Iterator[ast.Constant]:
    for each in ast.walk(call):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each


def _marked(part: ast.AST, lines: List[str]) -> Place:
    """`ast` counts columns in bytes of UTF-8."""
    line = getattr(part, "lineno", 1)
    text = lines[line - 1].encode("utf-8")
    start = getattr(part, "col_offset", 0)
    if isinstance(part, ast.keyword):
        length = len(part.arg or "")
    else:
        same = getattr(part, "end_lineno", line) == line
        end = getattr(part, "end_col_offset", start) if same else len(text)
        length = len(text[start:end].decode("utf-8"))
    return Place(line, len(text[:start].decode("utf-8")) + 1, max(1, length))
