"""Where in a program a builder was called, and where its arguments were written."""

from __future__ import annotations

import ast
import itertools
import linecache
import sys
from types import CodeType
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

#: Line, column, length: 1-based, in UTF-16 units; the line alone when no more is known.
Location = List[int]


class Site(NamedTuple):
    """One call of a builder.

    :ivar caller: the code that called
    :ivar at: index of the calling instruction in it
    :ivar builder: the code that was called
    """

    caller: CodeType
    at: int
    line: int
    builder: CodeType

    @property
    def file(self) -> str:
        """The file of the caller, as Python names it."""
        return self.caller.co_filename


def call_site(depth: int = 1) -> Site:
    """The call of the function `depth` frames up."""
    frame = sys._getframe(depth)
    caller = frame.f_back or frame
    return Site(caller.f_code, caller.f_lasti, caller.f_lineno, frame.f_code)


class Written(NamedTuple):
    """A call as it stands in its file: the call itself, and its arguments by parameter."""

    call: Optional[ast.Call]
    arguments: Dict[str, ast.expr]
    keywords: Dict[str, ast.keyword]


def written(site: Site) -> Written:
    """Finds a call in its source; nothing but its line is known when that fails."""
    call = _find(site)
    if call is None:
        return Written(None, {}, {})
    code = site.builder
    names = code.co_varnames[: code.co_argcount]
    names = names[1:] if names[:1] in (("self",), ("cls",)) else names
    arguments: Dict[str, ast.expr] = {}
    for name, value in zip(names, call.args):
        if isinstance(value, ast.Starred):
            break
        arguments[name] = value
    keywords = {each.arg: each for each in call.keywords if each.arg}
    arguments.update({name: each.value for name, each in keywords.items()})
    return Written(call, arguments, keywords)


def location(node: ast.AST, file: str) -> Location:
    """The first line of a part of a program."""
    line: int = getattr(node, "lineno", 1)
    start: int = getattr(node, "col_offset", 0)
    text = linecache.getline(file, line).rstrip("\r\n").encode("utf-8")
    if isinstance(node, ast.keyword):
        end = start + len((node.arg or "").encode("utf-8"))
    elif getattr(node, "end_lineno", None) == line:
        end = getattr(node, "end_col_offset", None) or len(text)
    else:
        end = len(text)
    return [line, _units(text[:start]) + 1, max(1, _units(text[start:end]))]


def _units(utf8: bytes) -> int:
    return len(utf8.decode("utf-8", "replace").encode("utf-16-le")) // 2


def _find(site: Site) -> Optional[ast.Call]:
    calls = _calls_of(site.file)
    end = _end_of(site)
    if end is not None:
        # No two calls end at the same place.
        found = [each for each in calls if (each.end_lineno, each.end_col_offset) == end]
    else:
        name = site.builder.co_name
        found = [each for each in calls if each.lineno == site.line and _named(each, name)]
    return found[0] if len(found) == 1 else None


def _end_of(site: Site) -> Optional[Tuple[int, int]]:
    """Line and column where the call ends; Python 3.11 and later know."""
    positions: Any = getattr(site.caller, "co_positions", None)
    if positions is None:
        return None
    _, line, _, column = next(itertools.islice(positions(), site.at // 2, None), (None,) * 4)
    return None if line is None or column is None else (line, column)


def _named(call: ast.Call, name: str) -> bool:
    callee = call.func
    return name in (getattr(callee, "attr", None), getattr(callee, "id", None)) or name == "__init__"


_parsed: Dict[str, Tuple[str, List[ast.Call]]] = {}


def source(file: str) -> str:
    """The text of a file, as far as Python can tell."""
    return "".join(linecache.getlines(file))


def _calls_of(file: str) -> List[ast.Call]:
    text = source(file)
    known = _parsed.get(file)
    if known is None or known[0] != text:
        try:
            nodes = ast.walk(ast.parse(text))
        except (SyntaxError, ValueError):
            nodes = iter(())
        known = (text, [each for each in nodes if isinstance(each, ast.Call)])
        _parsed[file] = known
    return known[1]
