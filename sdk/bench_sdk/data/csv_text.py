"""CSV (RFC 4180) with a header: comma, double quotes, any line end."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, NoReturn, Optional, Tuple

from ..errors import InputError

_CELL = re.compile(r'[^,"\r\n]*')
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_LINE_END = re.compile(r"\r\n|\n|\r")


def read_csv(text: str, file: str, max_rows: int) -> Tuple[List[str], List[List[str]]]:
    """Column names, and the cells of each row.

    :raises InputError: for what is wrong, with its line
    """
    columns: Optional[List[str]] = None
    rows: List[List[str]] = []
    for line, record in _records(text, file):
        if columns is None:
            _check_header(record, line, file)
            columns = record
        elif len(record) != len(columns):
            cells = "1 cell" if len(columns) == 1 else f"{len(columns)} cells"
            _fail(
                file,
                line,
                "ragged-row",
                f"row must have {cells} like the header, but it has {len(record)}",
                "a cell that holds a comma must stand in double quotes",
            )
        elif len(rows) == max_rows:
            _fail(
                file,
                line,
                "fixture-too-long",
                f"fixture `{file}` must have at most {max_rows} rows, but it has more",
            )
        else:
            rows.append(record)
    if columns is None or not rows:
        _fail(
            file,
            1,
            "empty-fixture",
            f"fixture `{file}` must have at least one row, but it has only a header",
        )
    return columns, rows


def _records(text: str, file: str) -> Iterator[Tuple[int, List[str]]]:
    """Each record with its 1-based line; blank lines are skipped."""
    at, line = 0, 1
    while at < len(text):
        end = _LINE_END.match(text, at)
        if end:
            at, line = end.end(), line + 1
            continue
        start = line
        record: List[str] = []
        while True:
            cell, at = _cell(text, at, start, line, file)
            record.append(cell)
            line += len(_LINE_END.findall(cell))
            if text[at : at + 1] != ",":
                break
            at += 1
        yield start, record
        end = _LINE_END.match(text, at)
        if end:
            at, line = end.end(), line + 1


def _cell(text: str, at: int, start: int, line: int, file: str) -> Tuple[str, int]:
    """The cell that begins at `at`, and where it ends."""
    if text[at : at + 1] != '"':
        match = _CELL.match(text, at)
        end = match.end() if match else at
        if text[end : end + 1] == '"':
            _fail(
                file,
                line,
                "bad-csv",
                'a `"` stands inside a cell that is not quoted',
                'quote the whole cell and write the `"` as `""`',
            )
        return text[at:end], end
    quoted = _QUOTED.match(text, at)
    if not quoted:
        _fail(
            file,
            start,
            "bad-csv",
            "a quoted cell that begins in this row is never closed",
            'close it with `"`; inside a quoted cell a `"` is written `""`',
        )
    end = quoted.end()
    if text[end : end + 1] not in ("", ",", "\r", "\n"):
        _fail(
            file,
            line + len(_LINE_END.findall(quoted[0])),
            "bad-csv",
            "text follows the closing quote of a cell",
            'inside a quoted cell a `"` is written `""`',
        )
    return quoted[1].replace('""', '"'), end


def _check_header(names: List[str], line: int, file: str) -> None:
    seen: Dict[str, int] = {}
    for index, name in enumerate(names, 1):
        if name.strip() == "":
            _fail(
                file,
                line,
                "empty-column",
                f"column {index} must have a name, but the header is empty there",
            )
        if name in seen:
            _fail(
                file,
                line,
                "duplicate-column",
                f"column {index} must have a name of its own, "
                f"but `{name}` is column {seen[name]} already",
            )
        seen[name] = index


def _fail(
    file: str, line: int, code: str, message: str, hint: Optional[str] = None
) -> NoReturn:
    raise InputError(code, message, hint, file=file, line=line)
