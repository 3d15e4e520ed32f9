"""Assertions that cannot hold for any answer, because comparison never coerces."""

from __future__ import annotations

import re
from typing import Any, Dict, Mapping, Optional

from ..pattern.ecmascript import check_pattern
from ..pattern.mistake import PatternMistake, pattern_hint
from ..values.json import json_type
from ..values.readable import stringify
from ..values.suggest import nearest
from .syntax_error import ExpressionError


def check_types(
    assertion: Dict[str, Any], statuses: Optional[Mapping[str, int]] = None
) -> Dict[str, Any]:
    """Returns the same assertion.

    :param statuses: all there are, when they have names
    :raises ExpressionError: naming what does not fit
    """
    subject, op, value = assertion["subject"], assertion["op"], assertion["value"]
    kind = subject["kind"]
    if value is None and op not in ("==", "!="):
        raise ExpressionError(
            "assertion-null",
            f"`null` goes only with `==` and `!=`, not with `{op}`",
            "`!= null` means it exists, `== null` means it does not",
        )
    if kind in ("status", "latency"):
        if value is None:
            raise ExpressionError("assertion-value", f"`{kind}` always exists")
        if op in ("contains", "matches"):
            raise ExpressionError(
                "assertion-operator", f"`{kind}` is a number: `{op}` does not apply"
            )
    if kind == "status":
        _check_status(value, statuses)
    if kind == "header" and value is not None and not isinstance(value, str):
        quoted = stringify(value).replace('"', "")
        raise ExpressionError(
            "assertion-value",
            f"a header is a string and never {_describe(value)}",
            f'quote the value: "{quoted}"',
        )
    if op[0] in "<>" and not _is_number(value):
        raise ExpressionError(
            "assertion-value", f"`{op}` compares numbers, not {_describe(value)}"
        )
    if op == "matches":
        _check_pattern(value)
    return assertion


def _check_status(value: Any, statuses: Optional[Mapping[str, int]]) -> None:
    if statuses is None:
        if _is_number(value) and float(value).is_integer():
            return
        quoted = isinstance(value, str) and re.fullmatch("[0-9]+", value)
        raise ExpressionError(
            "assertion-value",
            f"a status is a whole number and never {_describe(value)}",
            f"remove the quotes: {value}"
            if quoted
            else second_condition(value)
            if isinstance(value, str)
            else None,
        )
    numbers = list(statuses.values())
    if _is_number(value) and value in numbers:
        return
    near = nearest(value, statuses) if isinstance(value, str) else None
    name = next(iter(statuses))
    if near:
        hint = f"did you mean `{near}`?"
    elif isinstance(value, str) and re.fullmatch("[0-9]+", value):
        hint = f"remove the quotes: {value}"
    else:
        hint = f"for example {statuses[name]}, or `{name}`"
    raise ExpressionError(
        "assertion-value",
        f"a status here is a number from {min(numbers)} to {max(numbers)} "
        f"or its name, and never {_describe(value)}",
        hint,
    )


def _check_pattern(value: Any) -> None:
    if not isinstance(value, str):
        shown = value if isinstance(value, str) else stringify(value)
        raise ExpressionError(
            "assertion-value",
            f"`matches` takes a regular expression, not {_describe(value)}",
            f'quote it: "{shown}"',
        )
    try:
        check_pattern(value)
    except PatternMistake as mistake:
        raise ExpressionError(
            "assertion-pattern",
            str(mistake),
            pattern_hint(value),
        ) from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _describe(value: Any) -> str:
    return f"the {json_type(value)} {stringify(value)}"


def second_condition(value: str) -> Optional[str]:
    """How two conditions are written, where one is joined to another."""
    if not re.search(r"\s(and|or|&&|\|\|)\s", value):
        return None
    return "an assertion is one condition; all items of the list have to hold"
