"""JSON paths that may match several nodes, after RFC 9535."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, List, Optional, Tuple

from ..values.json import MAX_SAFE, is_list, is_object
from ..values.readable import ecmascript_keys
from .query_filter import compile_filter
from .query_text import QueryText

#: Lists what a query matches in a value, in order.
Query = Callable[[Any], List[Any]]
#: The values one selector picks from one value; `root` serves filters.
Selector = Callable[[Any, Any], List[Any]]
#: Takes all values that lie so far and gives the next.
Segment = Callable[[List[Any], Any], List[Any]]

# As in a singular path, and unlike RFC 9535, a name after a dot may hold `-`.
_NAME = re.compile(r"(?:[A-Za-z_]|[^\x00-\x7f])(?:[A-Za-z0-9_-]|[^\x00-\x7f])*")
_INTEGER = re.compile(r"-?[0-9]+")


def compile_query(path: str) -> Query:
    """Compiles any RFC 9535 query.

    :raises ValueError: when the query is malformed
    """
    text = QueryText(path)
    text.take("$")
    segments = read_segments(text)
    if not text.at_end:
        raise text.error(f"unexpected {text.rest[:1]!r}")
    return lambda value: run_segments(segments, value, value)


def run_segments(segments: List[Segment], value: Any, root: Any) -> List[Any]:
    """What `segments` match, beginning at `value`."""
    values = [value]
    for segment in segments:
        values = segment(values, root)
    return values


def read_segments(text: QueryText) -> List[Segment]:
    """Segments up to what is none (RFC 9535 section 2.5)."""
    segments: List[Segment] = []
    while True:
        mark = text.at
        text.space()
        if text.take(".."):
            segments.append(_descendant(_after_dots(text)))
        elif text.take("."):
            segments.append(_child([_dotted(text)]))
        elif text.peek("["):
            segments.append(_child(_bracketed(text)))
        else:
            text.at = mark
            return segments


def _after_dots(text: QueryText) -> List[Selector]:
    return _bracketed(text) if text.peek("[") else [_dotted(text)]


def _dotted(text: QueryText) -> Selector:
    if text.take("*"):
        return _children
    name = text.match(_NAME)
    if name is None:
        raise text.error("expected a name or * after the dot")
    return _named(name)


def _bracketed(text: QueryText) -> List[Selector]:
    text.expect("[")
    selectors: List[Selector] = []
    while True:
        text.space()
        selectors.append(_selector(text))
        text.space()
        if not text.take(","):
            break
    text.expect("]")
    return selectors


def _selector(text: QueryText) -> Selector:
    if text.take("*"):
        return _children
    if text.take("?"):
        text.space()
        holds = compile_filter(text)
        return lambda value, root: [
            each for each in _children(value, root) if holds(each, root)
        ]
    if text.peek("'") or text.peek('"'):
        return _named(text.string())
    start = _integer(text)
    mark = text.at
    text.space()
    if text.take(":"):
        return _slice(start, *_slice_rest(text))
    text.at = mark
    if start is None:
        raise text.error("expected a selector")
    return _indexed(start)


def _slice_rest(text: QueryText) -> Tuple[Optional[int], Optional[int]]:
    text.space()
    end = _integer(text)
    text.space()
    step = None
    if text.take(":"):
        text.space()
        step = _integer(text)
    return end, step


def _integer(text: QueryText) -> Optional[int]:
    word = text.match(_INTEGER)
    if word is None:
        return None
    if word == "-0" or re.match("-?0[0-9]", word) or abs(int(word)) > MAX_SAFE:
        raise text.error(f"{word} is not an index")
    return int(word)


def _children(value: Any, root: Any) -> List[Any]:
    if is_list(value):
        return list(value)
    return [value[key] for key in ecmascript_keys(value)] if is_object(value) else []


def _named(name: str) -> Selector:
    return lambda value, root: (
        [value[name]] if is_object(value) and name in value else []
    )


def _indexed(index: int) -> Selector:
    return lambda value, root: (
        [value[index]]
        if is_list(value) and -len(value) <= index < len(value)
        else []
    )


def _slice(start: Optional[int], end: Optional[int], step: Optional[int]) -> Selector:
    by = 1 if step is None else step
    return lambda value, root: (
        list(value[slice(start, end, by)]) if is_list(value) and by != 0 else []
    )


def _child(selectors: List[Selector]) -> Segment:
    return lambda values, root: [
        each for value in values for select in selectors for each in select(value, root)
    ]


def _descendant(selectors: List[Selector]) -> Segment:
    pick = _child(selectors)

    def visit(value: Any, root: Any, found: List[Any]) -> None:
        found.extend(pick([value], root))
        for each in _children(value, root):
            visit(each, root, found)

    def segment(values: List[Any], root: Any) -> List[Any]:
        found: List[Any] = []
        for value in values:
            visit(value, root, found)
        return found

    return segment


def literal(text: QueryText) -> Any:
    """A JSON scalar as it stands in a filter, or raises.

    :raises ValueError: when there is none
    """
    if text.peek("'") or text.peek('"'):
        return text.string()
    for word, value in (("true", True), ("false", False), ("null", None)):
        if text.take_word(word):
            return value
    number = text.match(re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"))
    if number is None:
        raise text.error("expected a value")
    return json.loads(number)
