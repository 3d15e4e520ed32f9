"""JSON values, and how a message speaks of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Mapping, Sequence, Union

from ..errors import FlowError

if TYPE_CHECKING:
    from typing_extensions import TypeGuard
else:

    class TypeGuard:
        """In `typing` from Python 3.10 on; means `bool` when the program runs."""

        def __class_getitem__(cls, _guarded: Any) -> type:
            return bool


#: A JSON value. Not recursive, so that every supported Python resolves it.
Json = Union[None, bool, int, float, str, Sequence[Any], Mapping[str, Any]]
#: A JSON object that is being built.
JsonObject = Dict[str, Any]


class Omitted:
    """The type of `OMIT`."""

    def __repr__(self) -> str:
        return "OMIT"


#: Stands for an argument that was not given, where None would mean JSON null.
OMIT = Omitted()

#: The largest integer a JSON number carries exactly (RFC 8259 section 6).
MAX_SAFE = 2**53 - 1
_LONGEST = 60


def number_text(value: Union[int, float]) -> str:
    """A number as ECMAScript writes it (ECMA-262, Number::toString).

    :raises FlowError: `number-out-of-range` for NaN, infinities and integers
        whose last digits a double would lose
    """
    if isinstance(value, int):
        if abs(value) <= MAX_SAFE:
            return str(value)
        raise FlowError(
            "number-out-of-range",
            f"the integer {value} is beyond 2^53, so its last digits would be lost",
            f'quote it to send it as a string: "{value}"',
        )
    if value != value or value in (float("inf"), float("-inf")):
        raise FlowError(
            "number-out-of-range",
            f"JSON has no number for `{value}`",
            f'for the text, quote it: "{value}"',
        )
    return _ecmascript(value)


def _ecmascript(value: float) -> str:
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = len(whole + fraction) - len(digits)
    # The decimal point stands after this many of the digits.
    point = len(whole) - leading + int(exponent or 0)
    digits = digits.rstrip("0")
    return sign + _placed(digits, point)


def _placed(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    power = point - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if power >= 0 else '-'}{abs(power)}"


def json_integer(digits: str) -> Union[int, float]:
    """The integer of some JSON text: from 2^53 on a double, as in ECMAScript."""
    if len(digits) < 20:
        value = int(digits)
        return value if abs(value) < 2**53 else float(value)
    return float(digits)


def read_json(text: str) -> Any:
    """A JSON text as ECMAScript reads it; `OMIT` when it is none.

    A byte order mark at the beginning is none of the text.
    """
    text = text[1:] if text.startswith("\ufeff") else text
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=json_integer)
    except (ValueError, RecursionError):
        return OMIT


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def is_object(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether `value` is a JSON object (neither a list nor null)."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether `value` is a JSON list; text is none."""
    return isinstance(value, (list, tuple))


def json_type(value: object) -> str:
    """The name of a value's JSON type, with integers told from other numbers."""
    if value is OMIT:
        return "nothing"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        whole = isinstance(value, int) or value.is_integer()
        return "integer" if whole else "number"
    if isinstance(value, str):
        return "string"
    return "list" if is_list(value) else "object"


def describe(value: object) -> str:
    """What a Python value is, in the words of a message."""
    from .canonical import canonical

    if is_list(value):
        return "a list"
    if is_object(value):
        return "a mapping"
    if value is None or value is OMIT:
        return "nothing"
    if isinstance(value, bool):
        return f"the boolean {canonical(value)}"
    if isinstance(value, (int, float)):
        return f"the number {canonical(value)}"
    if isinstance(value, str):
        return f"the string {shorten(canonical(value), _LONGEST)}"
    return f"a Python {type(value).__name__}"


def shorten(text: str, longest: int) -> str:
    """`text` cut to `longest` UTF-16 units, with an ellipsis when it was cut."""
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * longest:
        return text
    return units[: 2 * longest].decode("utf-16-le", "ignore") + "…"
