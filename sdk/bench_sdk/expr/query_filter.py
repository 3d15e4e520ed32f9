"""Filters of JSON paths: `?@.price < 10 && match(@.name, "a.*")` (RFC 9535 section 2.3.5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional

from ..pattern.iregexp import compile_iregexp
from ..values.json import is_list, is_object
from .comparison import json_equal

if TYPE_CHECKING:
    from .query_text import QueryText

#: Whether a filter holds for a value.
Test = Callable[[Any, Any], bool]


#: What an operand gives for a value; `root` is where paths from `$` begin.
Get = Callable[[Any, Any], Any]


class _Nothing:
    """The result of a query that matches nothing (RFC 9535 section 2.4.1)."""


NOTHING = _Nothing()


class Operand(NamedTuple):
    """One side of a comparison, or a test on its own."""

    kind: str  # "value", "nodes" or "logical"
    singular: bool
    get: Get


_FUNCTIONS: Dict[str, int] = {"length": 1, "count": 1, "value": 1, "match": 2, "search": 2}
_NAME = re.compile("[a-z][a-z0-9_]*")
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")


def compile_filter(text: QueryText) -> Test:
    """Reads a logical expression up to what is none.

    :raises ValueError: when it is malformed
    """
    return _any_of(text, "||", lambda: _any_of(text, "&&", lambda: _basic(text), all), any)


def _any_of(text: QueryText, sign: str, read: Callable[[], Test], fold: Callable[..., bool]) -> Test:
    tests: List[Test] = [read()]
    text.space()
    while text.take(sign):
        text.space()
        tests.append(read())
        text.space()
    if len(tests) == 1:
        return tests[0]
    return lambda value, root: fold(test(value, root) for test in tests)


def _basic(text: QueryText) -> Test:
    if text.peek("!") and not text.peek("!="):
        text.take("!")
        text.space()
        if text.peek("!"):
            test = _basic(text)
        else:
            test = _group(text) if text.peek("(") else _existence(text, _operand(text))
        return lambda value, root: not test(value, root)
    mark = text.at
    if text.peek("("):
        group = _group(text)
        if _comparison(text) is None:
            return group
        text.at = mark
    left = _operand(text)
    sign = _comparison(text)
    if sign is None:
        return _existence(text, left)
    text.space()
    right = _operand(text)
    for side in (left, right):
        if side.kind == "logical" or not side.singular:
            raise text.error("only single values can be compared")
    one, other = _value_of(left), _value_of(right)
    return lambda value, root: _compare(sign, one(value, root), other(value, root))


def _comparison(text: QueryText) -> Optional[str]:
    text.space()
    return next((each for each in _COMPARISONS if text.take(each)), None)


def _group(text: QueryText) -> Test:
    text.expect("(")
    text.space()
    test = compile_filter(text)
    text.space()
    text.expect(")")
    return test


def _existence(text: QueryText, operand: Operand) -> Test:
    if operand.kind == "value":
        raise text.error("a value alone is no condition")
    if operand.kind == "logical":
        return lambda value, root: bool(operand.get(value, root))
    return lambda value, root: len(operand.get(value, root)) > 0


def _operand(text: QueryText) -> Operand:
    from .query import literal, read_segments, run_segments

    if text.peek("@") or text.peek("$"):
        from_root = text.peek("$")
        text.at += 1
        start = text.at
        segments = read_segments(text)
        written = text.text[start : text.at]
        singular = not re.search(r"\*|\.\.|[:,?]", re.sub(r"'[^']*'|\"[^\"]*\"", "", written))

        def nodes(value: Any, root: Any) -> List[Any]:
            return run_segments(segments, root if from_root else value, root)

        return Operand("nodes", singular, nodes)
    if text.take("("):
        text.space()
        inside = _operand(text)
        text.space()
        text.expect(")")
        return inside
    mark = text.at
    name = text.match(_NAME)
    if name is not None and text.take("("):
        return _function(text, name)
    text.at = mark
    constant = literal(text)

    def same(value: Any, root: Any) -> Any:
        return constant

    return Operand("value", True, same)


def _function(text: QueryText, name: str) -> Operand:
    arguments: List[Operand] = []
    text.space()
    while not text.take(")"):
        if arguments:
            text.expect(",")
            text.space()
        arguments.append(_operand(text))
        text.space()
    if _FUNCTIONS.get(name) != len(arguments):
        raise text.error(f"{name}() is no function with {len(arguments)} arguments")
    if name in ("count", "value"):
        if arguments[0].kind != "nodes":
            raise text.error(f"{name}() takes a query")
        return _of_nodes(name, arguments[0].get)
    if not all(each.singular and each.kind != "logical" for each in arguments):
        raise text.error(f"{name}() takes single values")
    return _of_values(name, [_value_of(each) for each in arguments])


def _of_nodes(name: str, nodes: Get) -> Operand:
    def call(value: Any, root: Any) -> Any:
        found = nodes(value, root)
        return len(found) if name == "count" else _single(found)

    return Operand("value", True, call)


def _of_values(name: str, values: List[Get]) -> Operand:
    def call(value: Any, root: Any) -> Any:
        first, *others = [each(value, root) for each in values]
        return _matches(first, others[0], name == "match") if others else _length(first)

    return Operand("value" if name == "length" else "logical", True, call)


def _value_of(operand: Operand) -> Get:
    if operand.kind != "nodes":
        return operand.get
    return lambda value, root: _single(operand.get(value, root))


def _single(nodes: List[Any]) -> Any:
    return nodes[0] if len(nodes) == 1 else NOTHING


def _length(value: Any) -> Any:
    return len(value) if isinstance(value, str) or is_list(value) or is_object(value) else NOTHING


def _matches(text: Any, pattern: Any, whole: bool) -> bool:
    if not isinstance(text, str) or not isinstance(pattern, str):
        return False
    compiled = compile_iregexp(pattern, whole)
    return compiled is not None and compiled.search(text) is not None


def _compare(sign: str, a: Any, b: Any) -> bool:
    if sign == "==":
        return _same(a, b)
    if sign == "!=":
        return not _same(a, b)
    if sign in ("<=", ">=") and _same(a, b):
        return True
    numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (a, b))
    if not numbers and not (isinstance(a, str) and isinstance(b, str)):
        return False
    return bool(a < b) if sign[0] == "<" else bool(a > b)


def _same(a: Any, b: Any) -> bool:
    if a is NOTHING or b is NOTHING:
        return a is b
    return json_equal(a, b)
