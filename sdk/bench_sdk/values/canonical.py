"""Canonical JSON (RFC 8785): equal values give equal bytes."""

from __future__ import annotations

import json
from typing import Callable, List

from ..errors import FlowError
from .json import Json, is_list, is_object, number_text


def canonical(value: Json) -> str:
    """The RFC 8785 form of `value`.

    :raises FlowError: `number-out-of-range`, `lone-surrogate`, or `wrong-type`
        for what JSON cannot say
    """
    parts: List[str] = []
    _write(value, parts.append)
    return "".join(parts)


def utf16_key(text: str) -> bytes:
    """Sorts as RFC 8785 section 3.2.3 sorts: by UTF-16 code unit."""
    return text.encode("utf-16-be", "surrogatepass")


def string_text(text: str) -> str:
    """A JSON string with the escapes of RFC 8785 section 3.2.2.2 and no others.

    :raises FlowError: `lone-surrogate` for half a surrogate pair
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise FlowError(
            "lone-surrogate",
            "this text has half a surrogate pair in it, which is no character",
            "write the character itself, or \\U and its eight digits",
        ) from None
    return json.dumps(text, ensure_ascii=False)


def _write(value: Json, emit: Callable[[str], None]) -> None:
    if value is None:
        emit("null")
    elif isinstance(value, bool):
        emit("true" if value else "false")
    elif isinstance(value, str):
        emit(string_text(value))
    elif isinstance(value, (int, float)):
        emit(number_text(value))
    elif is_list(value):
        emit("[")
        for index, item in enumerate(value):
            if index > 0:
                emit(",")
            _write(item, emit)
        emit("]")
    elif is_object(value):
        emit("{")
        for index, key in enumerate(sorted(value, key=utf16_key)):
            emit(f"{',' if index > 0 else ''}{string_text(key)}:")
            _write(value[key], emit)
        emit("}")
    else:
        raise FlowError(
            "wrong-type",
            f"JSON has no value for a Python {type(value).__name__}",
            "use None, bool, int, float, str, list or dict",
        )
