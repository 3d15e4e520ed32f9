"""Finding the flow a Python file defines."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from typing import Any, Dict, List, Optional, Type

from .errors import BenchError
from .flow import Flow, Runnable
from .mix import Mix
from .sites import source, utf16_units


class LoadError(BenchError):
    """A file that gives no flow.

    :ivar line: of the file, where what is wrong has one
    :ivar column: in it, 1-based, in UTF-16 units; None for the line as a whole
    """

    def __init__(
        self,
        code: str,
        message: str,
        hint: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
    ) -> None:
        super().__init__(message, hint)
        self.code = code
        self.line = line
        self.column = column


def load_flow(file: str) -> Runnable:
    """Runs `file` and returns its flow: the one called `flow`, else the only mix, else the only flow.

    :raises LoadError: when there is none, or the file itself fails
    """
    path = os.path.abspath(file)
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    # Those of this program are not for the file, which may read its own.
    arguments, sys.argv = sys.argv, [path]
    try:
        names = runpy.run_path(path, run_name="bench_flow")
    except Exception as error:
        raise _failed(file, path, error) from error
    finally:
        sys.path.remove(folder)
        sys.argv = arguments
    return _choose(file, names)


def _each(kind: Type[Runnable], names: Dict[str, Any]) -> List[Runnable]:
    return list({id(each): each for each in names.values() if isinstance(each, kind)}.values())


def _failed(file: str, path: str, error: Exception) -> LoadError:
    if isinstance(error, OSError) and error.filename == path:
        return LoadError("no-file", f"cannot read {file}: {error.strerror}")
    said = traceback.format_exception_only(type(error), error)[-1].strip()
    if isinstance(error, BenchError):
        said = said.replace(f"{type(error).__module__}.", "", 1)
    if isinstance(error, SyntaxError) and error.filename == path:
        return LoadError("python", f"the file is not Python: {error.msg}", None, error.lineno, _column_of(error, path))
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if os.path.abspath(frame.filename) == path
    ]
    return LoadError("python", said, _import_of(error), lines[-1] if lines else None)


def _column_of(error: SyntaxError, path: str) -> Optional[int]:
    try:
        # Of a file Python may count bytes; of its text it counts characters.
        compile(source(path), path, "exec")
    except SyntaxError as again:
        error = again
    if not error.offset:
        return None
    return utf16_units((error.text or "").rstrip()[: error.offset - 1]) + 1


def _import_of(error: Exception) -> Optional[str]:
    """How to import the name of this package that is missing."""
    import bench_sdk

    name = str(error).partition("'")[2].partition("'")[0]
    known = isinstance(error, NameError) and name in bench_sdk.__all__
    return f"from bench_sdk import {name}" if known else None


def _choose(file: str, names: Dict[str, Any]) -> Runnable:
    flow = names.get("flow")
    if isinstance(flow, Runnable):
        return flow
    found = _each(Mix, names) or _each(Flow, names)
    if len(found) == 1:
        return found[0]
    if not found:
        raise LoadError("no-flow", f"{file} defines no flow", 'for example: flow = Flow("shop")')
    why = f"{file} defines {len(found)} flows, and none is called `flow`"
    raise LoadError("no-flow", why, "call the one to run `flow`")
