"""JSON paths (RFC 9535): found value, or `OMIT` when a path leads nowhere."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, List, Optional, Sequence, Union

from ..values.json import OMIT, is_list, is_object
from .query import compile_query

#: Finds a value; `OMIT` when the path leads nowhere, or to JSON null.
PathLookup = Callable[[Any], Any]

# A singular path matches at most one node (RFC 9535 section 2.3.5.1). Unlike
# the RFC, a name after a dot may hold `-`, as JSON keys often do.
_SEGMENT = re.compile(
    r"\.((?:[^\W\d]|_)[\w-]*)"
    r"|\[(-?[0-9]+)\]"
    r"|\['((?:[^'\\]|\\.)*)'\]"
    r'|\["((?:[^"\\]|\\.)*)"\]'
)


def check_path(text: str) -> None:
    """:raises ValueError: when `text` is not a JSON path"""
    if not text.startswith("$"):
        raise ValueError(f"{text} is not a JSON path: it must start with $")
    if _singular(text) is None:
        compile_query(text)


def compile_path(text: str) -> PathLookup:
    """Compiles a path. Several matches give the list of them (design section 5).

    :raises ValueError: when `text` is not a JSON path
    """
    segments = _singular(text)
    if segments is not None:
        chain = segments
        return lambda value: _exists(_walk(value, chain))
    query = compile_query(text)

    def lookup(value: Any) -> Any:
        if value is OMIT:
            return OMIT
        matches = query(value)
        if len(matches) > 1:
            return matches
        return _exists(matches[0]) if matches else OMIT

    return lookup


def follow(value: Any, path: Sequence[str]) -> Any:
    """Walks `path` through objects and lists; `OMIT` when it leads nowhere."""
    at = value
    for key in path:
        if is_object(at) and key in at:
            at = at[key]
        elif is_list(at) and key.isascii() and key.isdigit() and str(int(key)) == key:
            if int(key) >= len(at):
                return OMIT
            at = at[int(key)]
        elif is_list(at) and key == "length":
            at = len(at)
        else:
            return OMIT
    return at


def _walk(value: Any, segments: Sequence[Union[str, int]]) -> Any:
    """A name selects nothing from a list, not even `length` (RFC 9535 section 2.3.1.2)."""
    at = value
    for segment in segments:
        if isinstance(segment, int):
            if not is_list(at) or not -len(at) <= segment < len(at):
                return OMIT
            at = at[segment]
        elif is_object(at) and segment in at:
            at = at[segment]
        else:
            return OMIT
    return at


def _exists(value: Any) -> Any:
    return OMIT if value is None else value


def _singular(text: str) -> Optional[List[Union[str, int]]]:
    """The keys and indexes of a singular path; None for any other."""
    segments: List[Union[str, int]] = []
    at = 1
    while at < len(text):
        match = _SEGMENT.match(text, at)
        if not match:
            return None
        name, index, single, double = match.groups()
        if index is not None:
            segments.append(int(index))
        elif name is not None:
            segments.append(name)
        else:
            segments.append(_unescape(single if single is not None else double))
        at = match.end()
    return segments


def _unescape(quoted: str) -> str:
    """RFC 9535 section 2.3.1.1: JSON escapes, and the quote itself."""
    if "\\" not in quoted:
        return quoted
    text = re.sub(r'(?<!\\)"', r"\"", quoted.replace("\\'", "'"))
    return str(json.loads(f'"{text}"'))
