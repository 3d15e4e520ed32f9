"""Lists of expressions: `assert`, `until`, `thresholds`."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from ..errors import FlowError
from ..expr.assertion import Assertion, StatusNames, parse_assertion
from ..expr.syntax_error import ExpressionError
from ..expr.threshold import parse_threshold
from ..values.json import describe, is_list
from ..values.readable import stringify
from .scalars import check_scalar, scalar_text


def read_assertions(
    value: Any, what: str, statuses: Optional[StatusNames] = None
) -> List[Assertion]:
    """Reads a list of assertions.

    :param statuses: names that may be used for a status
    """
    return _read(
        value, what, "an assertion", "status == 200", lambda text: parse_assertion(text, statuses)
    )


def read_thresholds(value: Any) -> List[Dict[str, Any]]:
    """Reads the `thresholds` of a profile."""
    return _read(value, "`thresholds`", "a threshold", "error_rate < 1%", parse_threshold)


def _read(
    value: Any, what: str, noun: str, example: str, parse: Callable[[str], Dict[str, Any]]
) -> List[Dict[str, Any]]:
    if not is_list(value):
        raise FlowError(
            "wrong-type",
            f"{what} must be a list, but it is {describe(value)}",
            f"write it as a list: [{stringify(value)}]"
            if isinstance(value, str) and value
            else f"for example [{stringify(example)}]",
        )
    parsed: List[Dict[str, Any]] = []
    for item in value:
        check_scalar(item, f"each item of {what} must be {noun}, such as `{example}`")
        text = "null" if item is None else scalar_text(item)
        try:
            parsed.append(parse(text))
        except ExpressionError as error:
            raise FlowError(error.code, error.message, error.hint, about=text) from None
    return parsed
