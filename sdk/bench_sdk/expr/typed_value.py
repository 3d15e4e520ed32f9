"""A value with its type, short enough for a failure report."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ..values.canonical import canonical
from ..values.duration import format_duration
from ..values.json import OMIT, json_type

_LONGEST = 200


class TypedValue(NamedTuple):
    """`type` is `integer`, `number`, `string`, `boolean`, `null`, `list`, `object`,
    `nothing`, `anything` or `duration`; `text` has at most 200 characters;
    `operator` says how an expected value was compared, when not for equality.
    """

    type: str
    text: str
    operator: Optional[str] = None


def typed_value(value: Any) -> TypedValue:
    """A JSON value; `OMIT` is nothing."""
    if value is OMIT:
        return TypedValue("nothing", "")
    text = value if isinstance(value, str) else canonical(value)
    cut = f"{text[: _LONGEST - 1]}…" if len(text) > _LONGEST else text
    return TypedValue(json_type(value), cut)


def typed_duration(micros: float) -> TypedValue:
    """A duration in microseconds."""
    return TypedValue("duration", format_duration(micros))
