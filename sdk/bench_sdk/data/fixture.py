"""Fixture files: rows of cells.

CSV: the first record is the header; blank lines are skipped. JSON: a list of
objects; scalars become text, null empty text, nested values their JSON text.
"""

from __future__ import annotations

import os
from typing import Any, Dict, NamedTuple, NoReturn, Optional, Sequence

from ..errors import InputError
from ..values.canonical import canonical
from ..values.json import is_list, is_object
from ..values.readable import ecmascript_keys
from .csv_text import read_csv
from .json_text import read_items

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
    items = read_items(text, file, MAX_FIXTURE_ROWS)
    columns = list(dict.fromkeys(key for item in items for key in ecmascript_keys(item)))
    return Fixture(columns, [{key: _cell(each) for key, each in item.items()} for item in items])


def _cell(value: Any) -> Cell:
    if isinstance(value, str):
        return Cell(value)
    if value is None:
        return Cell("")
    return Cell(canonical(value), is_list(value) or is_object(value))


def _fail(
    file: str, code: str, message: str, hint: Optional[str] = None, line: int = 0
) -> NoReturn:
    raise InputError(code, message, hint, file=file, line=line)
