"""JSON fixtures: a list of objects. Mirrors `lib/data/json.ts`."""

from __future__ import annotations

import math
import re
from typing import Any, Iterator, List, NoReturn, Optional, Tuple

from ..errors import InputError
from ..values.json import MAX_SAFE, OMIT, is_list, is_object, json_type, number_text, read_json
from ..values.readable import readable, stringify
from .json_syntax import outline_json

_HALF = ("lone-surrogate", "half a surrogate pair in a text, which is no character", None)


def read_items(text: str, file: str, max_rows: int) -> List[Any]:
    """The objects of the list.

    :param file: the file as messages name it
    :raises InputError: for what is wrong, with its line
    """
    value = read_json(text)
    if value is OMIT:
        _refuse_syntax(text, file)
    first = _line(text, len(text) - len(text.lstrip()))
    if not is_list(value):
        message = f"a JSON fixture must be a list of objects, but it is {_described(value)}"
        raise InputError("bad-json", message, file=file, line=first)
    if not value:
        message = f"fixture `{file}` must have at least one row, but its list is empty"
        raise InputError("empty-fixture", message, file=file, line=first)
    if len(value) > max_rows:
        message = f"fixture `{file}` must have at most {max_rows} rows, but it has {len(value)}"
        raise InputError("fixture-too-long", message, file=file)
    for index, item in enumerate(value):
        wrong = _mistake(item)
        if wrong:
            code, what, hint = wrong
            line = _line(text, outline_json(text).items[index])
            raise InputError(code, f"item {index} {what}", hint, file=file, line=line)
    return list(value)


def _refuse_syntax(text: str, file: str) -> NoReturn:
    mistake = outline_json(text).mistake
    if mistake is None:
        raise InputError("bad-json", "not JSON: it is nested too deep", file=file, line=1)
    at, expected = mistake
    shown = re.match(r"\S+", text[at : at + 20])
    found = "the end of the file" if at >= len(text) else stringify(shown[0] if shown else "")
    message = f"not JSON: expected {expected}, but found {found}"
    raise InputError("bad-json", message, file=file, line=_line(text, at))


def _mistake(item: Any) -> Optional[Tuple[str, str, Optional[str]]]:
    """Code, words and hint of what is wrong with one item."""
    if not is_object(item):
        what = f"must be an object, but it is {_described(item)}"
        return "bad-row", what, "items count from 0"
    if not item:
        return "bad-row", "must have at least one key, but it is empty", "items count from 0"
    for code, what, hint in _unsayable(item):
        return code, f"has {what}", hint
    return None


def _unsayable(value: Any) -> Iterator[Tuple[str, str, Optional[str]]]:
    """What no request could say again, or only with other digits."""
    if isinstance(value, str):
        if any("\ud800" <= each <= "\udfff" for each in value):
            yield _HALF
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if math.isinf(value):
            yield "number-too-large", "a number too large for JSON", "write it as a string"
        elif abs(value) > MAX_SAFE and float(value).is_integer():
            sent = number_text(float(value))
            what = f"a whole number beyond 2^53, which loses digits: it would be sent as {sent}"
            yield "number-too-large", what, "write it as a string"
    elif is_object(value):
        for key, inner in value.items():
            yield from _unsayable(key)
            yield from _unsayable(inner)
    elif is_list(value):
        for inner in value:
            yield from _unsayable(inner)


def _described(value: Any) -> str:
    kind = json_type(value)
    if kind in ("list", "object"):
        return "a list" if kind == "list" else "an object"
    return "null" if value is None else f"the {kind} {readable(value)}"


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
