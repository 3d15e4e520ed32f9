"""How the `values` of a flow are drawn, anew for each iteration.

    from bench_sdk import Flow, draw

    flow = Flow("shop", values={"order": draw.uuid(), "quantity": draw.int(1, 9)})
"""

from __future__ import annotations

import builtins
from typing import Optional, Sequence, Union

from .blocks import Block, Duration, Json, built, digits
from .sites import call_site, checked
from .words import Moment

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True

#: A bound of `decimal()`; its digits count, so that a text says more than a number.
Decimal = Union[str, builtins.int]


class Value(Block):
    """A value that is drawn; made by the functions of this module."""


@checked
def uuid(version: builtins.int = 4) -> Value:
    """A UUID of version 4, or of version 7, which sorts as the iterations do."""
    return built(Value, {"uuid": version})


@checked
def int(min: builtins.int, max: builtins.int) -> Value:
    """A whole number from `min` to `max`."""
    return _range("int", min, max)


@checked
def decimal(min: Decimal, max: Decimal) -> Value:
    """A number with as many digits after the point as its bounds: `decimal("0.50", "99.99")`."""
    return _range("decimal", min, max)


@checked
def choice(choice: Sequence[Json], weights: Optional[Sequence[float]] = None) -> Value:
    """One of several values.

    :param weights: how often each is drawn, compared with the others; all alike when None
    """
    return built(Value, locals())


def counter() -> str:
    """1, 2, 3 and so on, each number once in the whole run."""
    return "counter"


@checked
def hex(digits: builtins.int) -> Value:
    """So many hexadecimal digits."""
    return built(Value, {"hex": digits})


@checked
def now(format: Moment, offset: Optional[Duration] = None) -> Value:
    """When the iteration began, in UTC.

    :param format: `date`, `rfc3339`, `unix` or `unix_ms`
    :param offset: what is added to it; less than 0 is the past, such as `-24h`
    """
    return built(Value, {"now": format, "offset": offset})


@checked
def text(text: str) -> Value:
    """A text; its templates name values above it, rows and the environment."""
    return built(Value, locals())


def _range(kind: str, first: Decimal, last: Decimal) -> Value:
    value = Value({kind: f"{digits(first)}..{digits(last)}"})
    value.site, value.origins = call_site(2), {f"/{kind}": "min"}
    return value
