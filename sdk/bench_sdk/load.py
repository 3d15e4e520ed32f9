"""Finding the flow a Python file defines."""

from __future__ import annotations

import os
import re
import runpy
import sys
import tokenize
import traceback
from typing import Any, Dict, List, Optional

from .errors import BenchError
from .flow import Flow
from .place import Place, frame, place_of, shown_line
from .values.suggest import nearest


class FlowFileError(Exception):
    """A flow file that gives no flow.

    :ivar place: the part of the file at fault; None when it is the file as a whole
    """

    def __init__(self, file: str, place: Optional[Place], source: str, cause: BenchError) -> None:
        where = f"{file}:{place.line}:{place.column}" if place else file
        lines = [f"{where}: error: {cause.message}"]
        if place:
            lines.append(frame(source, place))
        if cause.hint is not None:
            gutter = " " * len(str(place.line)) if place else " "
            lines.append(f"{gutter} = {cause.hint}")
        super().__init__("\n".join(lines))
        self.file = file
        self.place = place
        self.cause = cause
        self._source = source

    @property
    def diagnostic(self) -> Dict[str, Any]:
        """As `bench validate --diagnostics json` writes them, and what to show and mark."""
        return {
            "file": self.file,
            "line": self.place.line if self.place else None,
            "column": self.place.column if self.place else None,
            "length": self.place.length if self.place else None,
            "text": shown_line(self._source, self.place.line) if self.place else None,
            "code": self.cause.code,
            "message": self.cause.message,
            "hint": self.cause.hint,
        }


def load_flow(file: str) -> Flow:
    """Runs `file` and returns its flow: the one called `flow`, else the only one.

    :raises FlowFileError: for a mistake in it, with its line
    """
    path = os.path.abspath(file)
    source = _read(path, file)
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    try:
        names = runpy.run_path(path, run_name="bench_flow")
    except BenchError as error:
        line = _line(path, error)
        place = place_of(source, line, error) if line else None
        raise FlowFileError(file, place, source, error) from None
    except SyntaxError as error:
        if error.filename != path:
            raise _fault(file, path, source, error) from error
        wrong = BenchError("python", f"the file is not Python: {error.msg}")
        place = Place(error.lineno or 1, error.offset or 1, 1)
        raise FlowFileError(file, place, source, wrong) from None
    except Exception as error:
        raise _fault(file, path, source, error) from error
    finally:
        sys.path.remove(folder)
    return _choose(file, source, names)


def _read(path: str, file: str) -> str:
    try:
        with tokenize.open(path) as text:
            return text.read()
    except OSError as error:
        why = f"cannot read {file}: {error.strerror}"
        raise FlowFileError(file, None, "", BenchError("no-file", why)) from None
    except (SyntaxError, UnicodeDecodeError) as error:
        why = f"the file is not Python: {error}"
        raise FlowFileError(file, None, "", BenchError("python", why)) from None


def _fault(file: str, path: str, source: str, error: Exception) -> FlowFileError:
    """An error of the file's own code."""
    what = BenchError("python", f"{type(error).__name__}: {error}", _meant(error))
    line = _line(path, error)
    return FlowFileError(file, place_of(source, line, what) if line else None, source, what)


def _meant(error: Exception) -> Optional[str]:
    """The name of this package that a misspelt or unimported one stands for."""
    import bench_sdk

    missing = re.search("(?:name|no attribute) '([^']+)'", str(error))
    if isinstance(error, NameError) and missing:
        if missing[1] in bench_sdk.__all__:
            return f"from bench_sdk import {missing[1]}"
        near = nearest(missing[1], bench_sdk.__all__)
        return f"did you mean `{near}`?" if near else None
    if isinstance(error, AttributeError) and missing and "'Flow'" in str(error):
        public = [name for name in dir(Flow) if not name.startswith("_")]
        near = nearest(missing[1], public)
        return f"did you mean `{near}`?" if near else f"a flow has: {', '.join(public)}"
    return None


def _choose(file: str, source: str, names: Dict[str, Any]) -> Flow:
    flow = names.get("flow")
    if isinstance(flow, Flow):
        return flow
    found: List[Flow] = []
    for value in names.values():
        if isinstance(value, Flow) and value not in found:
            found.append(value)
    if len(found) == 1:
        return found[0]
    if not found:
        why = f"{file} defines no flow"
        hint = 'for example: flow = Flow("shop")'
    else:
        why = f"{file} defines {len(found)} flows, and none is called `flow`"
        hint = "call the one to run `flow`"
    raise FlowFileError(file, None, source, BenchError("no-flow", why, hint))


def _line(path: str, error: BaseException) -> int:
    """The last line of the file itself that was under way."""
    lines = [
        frame.lineno or 0
        for frame in traceback.extract_tb(error.__traceback__)
        if os.path.abspath(frame.filename) == path
    ]
    return lines[-1] if lines else 0
