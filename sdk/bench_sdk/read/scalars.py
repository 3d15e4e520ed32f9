"""Scalars, each read strictly. `what` names the value in words, such as "`interval`"."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Sequence, Tuple

from ..errors import FlowError
from ..values.canonical import string_text
from ..values.duration import duration_hint, parse_duration
from ..values.json import MAX_SAFE, OMIT, describe, is_list, is_object, number_text
from ..values.suggest import nearest


def scalar_text(value: Any) -> str:
    """A string, number or boolean as the text YAML would have of it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else number_text(value)


def check_scalar(value: Any, wanted: str) -> None:
    """:raises FlowError: for lists, mappings and what JSON does not know"""
    if value is None or isinstance(value, (bool, int, float)):
        if isinstance(value, (int, float)):
            number_text(value)
    elif isinstance(value, str):
        string_text(value)
    else:
        raise FlowError("wrong-type", f"{wanted}, but it is {describe(value)}")


def read_string(value: Any, what: str) -> str:
    """A string; numbers and booleans are refused with the way out."""
    check_scalar(value, f"{what} must be a string")
    if isinstance(value, str):
        return value
    raise FlowError(
        "wrong-type",
        f"{what} must be a string, but it is {describe(value)}",
        None if value is None else f'quote it: "{scalar_text(value)}"',
    )


def read_text(value: Any, what: str) -> str:
    """A string, number or boolean as text."""
    wanted = f"{what} must be a string, a number, true or false"
    check_scalar(value, wanted)
    if value is None:
        raise FlowError("wrong-type", f"{wanted}, but it is nothing", 'for an empty value write ""')
    return scalar_text(value)


def read_integer(value: Any, what: str, least: int) -> int:
    """A whole number no smaller than `least`."""
    wanted = f"{what} must be a whole number of at least {least}"
    check_scalar(value, wanted)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and value == int(value) and least <= value <= MAX_SAFE:
        return int(value)
    raise FlowError(
        "out-of-range" if number else "wrong-type", f"{wanted}, but it is {describe(value)}"
    )


def read_boolean(value: Any, what: str) -> bool:
    """`True` or `False`."""
    wanted = f"{what} must be true or false"
    check_scalar(value, wanted)
    if isinstance(value, bool):
        return value
    word = re.fullmatch("(?:(yes|on)|(no|off))", scalar_text(value), re.IGNORECASE)
    raise FlowError(
        "wrong-type",
        f"{wanted}, but it is {describe(value)}",
        f"did you mean `{'true' if word[1] else 'false'}`?" if word else None,
    )


def read_choice(value: Any, what: str, words: Sequence[str]) -> str:
    """One of a closed set of words."""
    wanted = f"{what} must be one of {', '.join(words)}"
    check_scalar(value, wanted)
    if isinstance(value, str) and value in words:
        return value
    near = nearest(scalar_text(value), words)
    raise FlowError(
        "unknown-value",
        f"{wanted}, but it is {describe(value)}",
        f"did you mean `{near}`?" if near else None,
    )


def read_duration(value: Any, what: str, least: Tuple[int, str] = (0, "at least 0")) -> int:
    """A duration as text or `timedelta`, in microseconds.

    :param least: the shortest one in microseconds, and in words
    """
    if isinstance(value, timedelta):
        micros = value // timedelta(microseconds=1)
        text = f"{micros}us"
    else:
        wanted = f"{what} must be a duration, such as 500ms or 1.5s"
        check_scalar(value, wanted)
        if value is None:
            raise FlowError("wrong-type", f"{wanted}, but it is nothing")
        text = scalar_text(value)
        try:
            micros = parse_duration(text)
        except ValueError as error:
            raise FlowError(
                "bad-duration",
                f"{what}: {error}",
                duration_hint(text),
            ) from None
    if micros >= least[0]:
        return micros
    raise FlowError("out-of-range", f"{what} must be {least[1]}, but it is {text}")


def given(value: Any) -> bool:
    """Whether an argument was given."""
    return value is not OMIT


def is_scalar(value: Any) -> bool:
    """Whether `value` is neither a list nor a mapping."""
    return not is_list(value) and not is_object(value)
