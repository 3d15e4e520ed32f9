"""Finding the flow a Python file defines."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from typing import Any, Dict, List

from .errors import BenchError
from .flow import Flow


class FlowFileError(Exception):
    """A flow file that gives no flow.

    :ivar line: 1-based line of the file, 0 when there is none
    """

    def __init__(self, file: str, line: int, cause: BenchError) -> None:
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}: error: {cause}")
        self.file = file
        self.line = line
        self.cause = cause

    @property
    def diagnostic(self) -> Dict[str, Any]:
        """As `bench validate --diagnostics json` writes them."""
        return {
            "file": self.file,
            "line": self.line or None,
            "code": self.cause.code,
            "message": self.cause.message,
            "hint": self.cause.hint,
        }


def load_flow(file: str) -> Flow:
    """Runs `file` and returns its flow: the one called `flow`, else the only one.

    :raises FlowFileError: for a mistake in it, with its line
    """
    path = os.path.abspath(file)
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    try:
        names = runpy.run_path(path, run_name="bench_flow")
    except BenchError as error:
        raise FlowFileError(file, _line(path, error), error) from None
    except OSError as error:
        if error.filename != path and error.filename != file:
            raise _fault(file, path, error) from error
        raise FlowFileError(
            file, 0, BenchError("no-file", f"cannot read {file}: {error.strerror}")
        ) from None
    except SyntaxError as error:
        line = error.lineno or 0 if error.filename == path else _line(path, error)
        raise FlowFileError(
            file, line, BenchError("python", f"the file is not Python: {error.msg}")
        ) from None
    except Exception as error:
        raise _fault(file, path, error) from error
    finally:
        sys.path.remove(folder)
    return _choose(file, names)


def _fault(file: str, path: str, error: Exception) -> FlowFileError:
    """An error of the file's own code."""
    what = f"{type(error).__name__}: {error}"
    return FlowFileError(file, _line(path, error), BenchError("python", what))


def _choose(file: str, names: Dict[str, Any]) -> Flow:
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
    raise FlowFileError(file, 0, BenchError("no-flow", why, hint))


def _line(path: str, error: BaseException) -> int:
    """The last line of the file itself that was under way."""
    lines = [
        frame.lineno or 0
        for frame in traceback.extract_tb(error.__traceback__)
        if os.path.abspath(frame.filename) == path
    ]
    return lines[-1] if lines else 0
