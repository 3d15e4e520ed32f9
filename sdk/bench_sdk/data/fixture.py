"""Fixture files: rows of cells.

CSV: the first record is the header; blank lines are skipped. JSON: a list of
objects; scalars become text, null empty text, nested values their JSON text.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, NoReturn, Optional, Sequence

from ..errors import InputError
from ..values.canonical import canonical
from ..values.json import MAX_SAFE, is_list, is_object, json_type
from .csv_text import read_csv

MAX_FIXTURE_BYTES = 256 * 1024 * 1024
MAX_FIXTURE_ROWS = 1_000_000


class Cell(NamedTuple):
    """One cell; `nested` when it was an object or list, whose text is JSON."""

    text: str
    nested: bool = False


#: Cells by column; a JSON item may lack some.
Row = Dict[str, Cell]


class Fixture(NamedTuple):
    """Column names in file order, and at least one row."""

    columns: Sequence[str]
    rows: Sequence[Row]


def read_fixture(path: str, form: str, shown: Optional[str] = None) -> Fixture:
    """Reads a whole fixture file.

    :param shown: the file as messages name it
    :raises InputError: for a file that is missing, not UTF-8, empty, without
        rows, over a limit, or malformed
    """
    file = shown or path
    text = _text(path, file)
    if "\0" in text:
        _fail(
            file,
            "not-utf8",
            f"fixture `{file}` must be UTF-8 text, but it holds NUL characters",
            "save it as UTF-8; UTF-16 looks like this",
        )
    if text.strip() == "":
        _fail(
            file,
            "empty-fixture",
            f"fixture `{file}` must have at least one row, but the file is empty",
        )
    if form == "json":
        return _json(text, file)
    columns, records = read_csv(text, file, MAX_FIXTURE_ROWS)
    return Fixture(columns, [{c: Cell(v) for c, v in zip(columns, each)} for each in records])


def _text(path: str, file: str) -> str:
    try:
        size = os.path.getsize(path)
        if size > MAX_FIXTURE_BYTES:
            _fail(
                file,
                "fixture-too-large",
                f"fixture `{file}` must be at most 256 MiB, but it has {size} bytes",
            )
        with open(path, "rb") as source:
            return source.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        _fail(
            file, "not-utf8", f"fixture `{file}` must be UTF-8 text, but it is not", "save it as UTF-8"
        )
    except OSError as error:
        _fail(
            file,
            "unreadable-fixture",
            f"there is no fixture file `{file}`"
            if isinstance(error, FileNotFoundError)
            else f"Cannot read fixture `{file}`: {error.strerror}",
            "the path in `data` starts at the flow file's folder",
        )


def _json(text: str, file: str) -> Fixture:
    try:
        value = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        _fail(file, "bad-json", f"not JSON: {getattr(error, 'msg', error)}", None, line)
    if not is_list(value):
        _fail(file, "bad-json", f"a JSON fixture must be a list of objects, but it is {_described(value)}")
    if not value:
        _fail(
            file,
            "empty-fixture",
            f"fixture `{file}` must have at least one row, but its list is empty",
        )
    if len(value) > MAX_FIXTURE_ROWS:
        _fail(
            file,
            "fixture-too-long",
            f"fixture `{file}` must have at most {MAX_FIXTURE_ROWS} rows, but it has {len(value)}",
        )
    for index, item in enumerate(value):
        _check_item(index, item, file)
    columns = list(dict.fromkeys(key for item in value for key in item))
    return Fixture(columns, [{key: _cell(each) for key, each in item.items()} for item in value])


def _check_item(index: int, item: Any, file: str) -> None:
    hint = "items count from 0"
    if not is_object(item):
        _fail(file, "bad-row", f"item {index} must be an object, but it is {_described(item)}", hint)
    if not item:
        _fail(file, "bad-row", f"item {index} must have at least one key, but it is empty", hint)
    lost = _lost_number(item)
    if lost is not None:
        _fail(
            file,
            "number-too-large",
            f"item {index} has a whole number beyond 2^53, which loses digits: "
            f"it would be sent as {canonical(float(lost))}",
            "write it as a string",
        )


def _lost_number(value: Any) -> Optional[int]:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) > MAX_SAFE else None
    inner: List[Any] = list(value.values()) if is_object(value) else value if is_list(value) else []
    return next((lost for lost in map(_lost_number, inner) if lost is not None), None)


def _cell(value: Any) -> Cell:
    if isinstance(value, str):
        return Cell(value)
    if value is None:
        return Cell("")
    return Cell(canonical(value), is_list(value) or is_object(value))


def _described(value: Any) -> str:
    kind = json_type(value)
    if kind in ("list", "object"):
        return "a list" if kind == "list" else "an object"
    return "null" if value is None else f"the {kind} {canonical(value)}"


def _fail(
    file: str, code: str, message: str, hint: Optional[str] = None, line: int = 0
) -> NoReturn:
    raise InputError(code, message, hint, file=file, line=line)
