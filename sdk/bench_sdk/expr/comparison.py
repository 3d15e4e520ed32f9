"""Comparing JSON values without coercion."""

from __future__ import annotations

from typing import Any

from ..values.json import is_list, is_object


def json_equal(a: Any, b: Any) -> bool:
    """Whether two JSON values are the same; a boolean is no number."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if is_list(a) and is_list(b):
        return len(a) == len(b) and all(json_equal(x, y) for x, y in zip(a, b))
    if is_object(a) and is_object(b):
        return a.keys() == b.keys() and all(json_equal(a[key], b[key]) for key in a)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    return type(a) is type(b) and bool(a == b)
