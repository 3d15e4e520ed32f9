"""Where in a program a builder was called, and where its arguments were written."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import sys
from difflib import get_close_matches
from itertools import takewhile
from types import CodeType
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, TypeVar, cast

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True

#: Line, column, length: 1-based, in UTF-16 units; the line alone when no more is known.
Location = List[int]


class Site(NamedTuple):
    """One call of a builder, as data: a flow may go to another process.

    :ivar file: of the caller, as Python names it
    :ivar end: line and column where the call ends; None before Python 3.11
    :ivar builder: the name of what was called
    :ivar parameters: those that may be given by position
    """

    file: str
    line: int
    end: Optional[Tuple[int, int]]
    builder: str
    parameters: Tuple[str, ...]


def call_site(depth: int = 1) -> Site:
    """The call of the function `depth` frames up."""
    frame = sys._getframe(depth)
    caller = frame.f_back or frame
    # Between a builder and its caller is the check of its arguments.
    while caller.f_globals is globals() and caller.f_back:
        caller = caller.f_back
    code, end = frame.f_code, _end_of(caller.f_code, caller.f_lasti)
    parameters = code.co_varnames[: code.co_argcount]
    return Site(caller.f_code.co_filename, caller.f_lineno, end, code.co_name, parameters)


Builder = TypeVar("Builder", bound=Callable[..., Any])

#: What the parameters of builders are called elsewhere, best first.
_MEANT = {
    "assert_": ("assertions", "expect", "expects", "checks", "tests"),
    "body": ("json", "payload", "data"),
    "form": ("data", "form_data"),
    "query": ("params", "search"),
    "vus": ("users", "concurrency", "threads", "num_users"),
    "hold": ("duration", "hold_s", "run_time", "time"),
    "hold_s": ("duration", "hold", "run_time", "time", "seconds"),
    "for_s": ("duration", "hold", "hold_s", "run_time", "time", "seconds"),
    "arrival_cap": ("rate", "rps"),
    "step": ("id", "call"),
    "id": ("name",),
    "call": ("url", "path", "method", "request"),
    "url": ("path", "uri"),
    "interval": ("every", "delay"),
    "directory": ("folder", "path"),
    "target": ("url", "host", "base_url"),
    "base_urls": ("url", "urls", "host", "base_url"),
    "with_": ("base", "against", "baseline", "runs"),
    "profile": ("vus", "mode", "hold", "duration", "iterations", "stages", "arrival_cap", "rate", "thresholds"),
}


#: So many parameters are not listed for one that is unknown.
_MANY = 6


def checked(builder: Builder) -> Builder:
    """A builder that says what is meant by an argument it does not have, and which one is missing."""
    return _checked(builder, ())


def checked_with(options: Any) -> Callable[[Builder], Builder]:
    """The same of a method that takes the keys of a typed dictionary too."""
    return lambda builder: _checked(builder, options.__annotations__)


def _checked(builder: Builder, options: Iterable[str]) -> Builder:
    signature = inspect.signature(builder)
    parameters = [*signature.parameters, *options]
    positional = [each.name for each in signature.parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
    own = 1 if positional[:1] in (["self"], ["cls"]) else 0
    needed = [each.name for each in signature.parameters.values() if _needed(each)]
    # Users know a method by its name, whichever class it is of.
    name = builder.__qualname__.split(".")[0] if builder.__name__ == "__init__" else builder.__name__

    @functools.wraps(builder)
    def check(*arguments: Any, **given: Any) -> Any:
        for each in given:
            if each not in parameters:
                raise TypeError(_unknown(name, each, parameters[own:]))
        if len(arguments) > len(positional):
            raise TypeError(_too_many(name, positional[own:], len(arguments) - own))
        there = {*positional[: len(arguments)], *given}
        missing = [each for each in needed if each not in there]
        if missing:
            raise TypeError(_missing(name, missing, positional[own : len(arguments)]))
        return builder(*arguments, **given)

    return cast(Builder, check)


def _needed(parameter: inspect.Parameter) -> bool:
    kinds = (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    return parameter.default is parameter.empty and parameter.kind in kinds


def _unknown(builder: str, name: str, parameters: List[str]) -> str:
    meant = [key for key, words in _MEANT.items() if name in words and key in parameters]
    meant += get_close_matches(name, parameters, 1)
    hint = f". Did you mean '{meant[0]}'?" if meant else ""
    if not meant and len(parameters) < _MANY:
        hint = f": it takes {', '.join(repr(each) for each in parameters)}"
    return f"{builder}() got an unexpected keyword argument '{name}'{hint}"


def _too_many(builder: str, positional: List[str], given: int) -> str:
    names = " and ".join(f"'{each}'" for each in positional) or "no argument"
    return f"{builder}() takes {names} without a name, but got {given}: write name=value for the others"


def _missing(builder: str, missing: List[str], given: List[str]) -> str:
    names = " and ".join(f"'{each}'" for each in missing)
    hint = ". The first one is the id of the step" if given == ["id"] else ""
    return f"{builder}() is missing the argument{'s' if len(missing) > 1 else ''} {names}{hint}"


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
    names = site.parameters
    names = names[1:] if names[:1] in (("self",), ("cls",)) else names
    # What a partial function was given before is not in the call.
    values = written_items(call.args if _named(call, site.builder) else ())
    arguments: Dict[str, ast.expr] = dict(zip(names, values))
    keywords = {each.arg: each for each in call.keywords if each.arg}
    arguments.update({name: each.value for name, each in keywords.items()})
    return Written(call, arguments, keywords)


def written_items(items: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Items that are written out, up to those that a `*` stands for."""
    return takewhile(lambda item: not isinstance(item, ast.Starred), items)


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
    return utf16_units(utf8.decode("utf-8", "replace"))


def utf16_units(text: str) -> int:
    """The length of a text as `bench` counts columns."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _find(site: Site) -> Optional[ast.Call]:
    found = _call_at(site)
    if found is None:
        # The file may have been changed, and loaded anew, since its text was read.
        linecache.checkcache(site.file)
        found = _call_at(site)
    return found


def _call_at(site: Site) -> Optional[ast.Call]:
    calls = _calls_of(site.file)
    if site.end is not None:
        # No two calls end at the same place.
        return calls.by_end.get(site.end)
    found = [each for each in calls.by_line.get(site.line, ()) if _named(each, site.builder)]
    return found[0] if len(found) == 1 else None


def _end_of(caller: CodeType, at: int) -> Optional[Tuple[int, int]]:
    """Line and column where the call ends that is under way; Python 3.11 and later know.

    :param at: index of the calling instruction
    """
    code: Any = caller
    if not hasattr(code, "co_positions"):
        return None
    # By identity: comparing code compares all of it.
    known = _positions.get(id(code))
    if known is None or known[0] is not code:
        known = _positions[id(code)] = (code, list(code.co_positions()))
    _, line, _, column = known[1][at // 2]
    return None if line is None or column is None else (line, column)


_positions: Dict[int, Tuple[CodeType, List[Any]]] = {}


def _named(call: ast.Call, name: str) -> bool:
    callee = call.func
    return name in (getattr(callee, "attr", None), getattr(callee, "id", None)) or name == "__init__"


class _Calls(NamedTuple):
    """Every call of a file.

    :ivar lines: what it was read from
    """

    lines: List[str]
    by_end: Dict[Tuple[int, int], ast.Call]
    by_line: Dict[int, List[ast.Call]]


_known: Dict[str, _Calls] = {}


def source(file: str) -> str:
    """The text of a file, as far as Python can find it."""
    return "".join(linecache.getlines(file))


def _calls_of(file: str) -> _Calls:
    lines = linecache.getlines(file)
    known = _known.get(file)
    if known is None or known.lines is not lines:
        known = _known[file] = _Calls(lines, {}, {})
        try:
            nodes = ast.walk(ast.parse("".join(lines)))
        except (SyntaxError, ValueError):
            return known
        for each in nodes:
            if isinstance(each, ast.Call):
                known.by_end[each.end_lineno or 0, each.end_col_offset or 0] = each
                known.by_line.setdefault(each.lineno, []).append(each)
    return known
