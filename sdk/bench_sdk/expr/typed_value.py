"""A value with its type, short enough for a failure report."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ..values.duration import format_duration
from ..values.json import OMIT, json_type
from ..values.readable import readable, well_formed

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
    text = well_formed(value) if isinstance(value, str) else readable(value)
    return TypedValue(json_type(value), shortened(text))


def shortened(text: str) -> str:
    """At most 200 UTF-16 units; one that ends in `…` was cut."""
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * _LONGEST:
        return text
    return units[: 2 * (_LONGEST - 1)].decode("utf-16-le", "ignore") + "…"


def typed_duration(micros: float) -> TypedValue:
    """A duration in microseconds."""
    return TypedValue("duration", format_duration(micros))
