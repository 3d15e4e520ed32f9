"""Finding the flow a Python file defines."""

from __future__ import annotations

import ast
import inspect
import os
import runpy
import sys
import traceback
from typing import Any, Dict, List, Optional, Tuple, Type

from .errors import BenchError, Diagnostic, FlowError
from .flow import Flow, Runnable
from .mix import Mix
from .sites import source, utf16_units

#: What a flow file is called as a module: it is not started, but read.
RUN_NAME = "bench_flow"


class LoadError(BenchError):
    """A file that gives no flow.

    :ivar line: of the file, where what is wrong has one
    :ivar column: in it, 1-based, in UTF-16 units; None for the line as a whole
    :ivar diagnostics: those of a flow or a target that the file itself had refused
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
        self.diagnostics: Tuple[Diagnostic, ...] = ()


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
        names = runpy.run_path(path, run_name=RUN_NAME)
    except (Exception, SystemExit) as error:
        raise _failed(file, path, error) from error
    finally:
        sys.path.remove(folder)
        sys.argv = arguments
    return _choose(file, names)


def _each(kind: Type[Runnable], names: Dict[str, Any]) -> List[Runnable]:
    return list({id(each): each for each in names.values() if isinstance(each, kind)}.values())


def _failed(file: str, path: str, error: BaseException) -> LoadError:
    if isinstance(error, OSError) and error.filename == path:
        return LoadError("no-file", f"cannot read {file}: {error.strerror}")
    if isinstance(error, SyntaxError) and error.filename == path:
        return LoadError("python", f"the file is not Python: {error.msg}", None, error.lineno, _column_of(error, path))
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if os.path.abspath(frame.filename) == path
    ]
    line = lines[-1] if lines else None
    if isinstance(error, SystemExit):
        why = f"exit code {error.code or 0}" if isinstance(error.code, (int, type(None))) else f"{error.code}"
        return LoadError("python", f"the file ends before it gives a flow: {why}", None, line)
    failed = LoadError("python", _said(error), _hint(error), line)
    if isinstance(error, FlowError):
        failed.diagnostics = tuple(_own(each, file, path) for each in error.diagnostics)
    return failed


def _said(error: BaseException) -> str:
    """The first line of an error. One of several lines is printed whole, beside what the file prints."""
    texts = traceback.format_exception_only(type(error), error)
    text = "".join(texts).rstrip()
    if isinstance(error, BenchError):
        text = text.replace(f"{type(error).__module__}.", "", 1)
        if error.hint or isinstance(error, FlowError):
            return text.partition("\n")[0]
    if "\n" in text:
        print(text, file=sys.stderr)
    # The text of a module that is not Python begins with its name and the line.
    return (texts[-1] if isinstance(error, SyntaxError) else text).strip().partition("\n")[0]


def _own(each: Diagnostic, file: str, path: str) -> Diagnostic:
    """A diagnostic in which the file has the name that it was given."""
    return each._replace(file=file) if os.path.abspath(each.file) == path else each


def _column_of(error: SyntaxError, path: str) -> Optional[int]:
    try:
        # Of a file Python may count bytes; of its text it counts characters.
        compile(source(path), path, "exec")
    except SyntaxError as again:
        error = again
    if not error.offset:
        return None
    return utf16_units((error.text or "").rstrip()[: error.offset - 1]) + 1


def _hint(error: BaseException) -> Optional[str]:
    """The way out: that of an error of this package, or how to import a name of it that is missing."""
    if isinstance(error, BenchError):
        return error.hint
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
        hint, line = _almost(os.path.abspath(file), names)
        raise LoadError("no-flow", f"{file} defines no flow", hint, line)
    several = "a `Mix` has all of them" if isinstance(found[0], Flow) else "`bench run` runs one"
    why = f"{file} defines {len(found)} {'flows' if isinstance(found[0], Flow) else 'mixes'}, and none is called `flow`"
    raise LoadError("no-flow", why, f"call the one to run `flow`; {several}")


def _almost(path: str, names: Dict[str, Any]) -> Tuple[str, Optional[int]]:
    """The way out of a file without a flow, and the line of what comes nearest to one."""
    flow = names.get("flow")
    at = _lines(path)
    if "flow" in at and flow is None:
        return "`flow` is None: methods such as `call` add a step and return nothing, so make the flow first", at["flow"]
    for name, value in names.items():
        if inspect.isclass(value) and issubclass(value, Runnable) and value.__module__ == RUN_NAME:
            return f"`{name}` is a class: make a flow of it: flow = {name}()", at.get(name)
        held = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
        if any(isinstance(each, Runnable) for each in held):
            return f"`{name}` holds flows: call one of them `flow`, or add them to a `Mix`", at.get(name)
    if inspect.isfunction(flow):
        return "`flow` is a function: keep what it returns, such as flow = make_flow()", at.get("flow")
    if "__main__" in at:
        return "what is below `if __name__ == \"__main__\":` is not carried out: make the flow above it", at["__main__"]
    return 'for example: flow = Flow("shop")', None


def _lines(path: str) -> Dict[str, int]:
    """The lines where the names of a file were last given a value, and where it asks whether it is started."""
    lines: Dict[str, int] = {}
    for each in ast.parse(source(path)).body:
        targets = each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", None)]
        lines.update({target.id: each.lineno for target in targets if isinstance(target, ast.Name)})
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            lines[each.name] = each.lineno
        if isinstance(each, ast.If) and "__main__" in ast.dump(each.test):
            lines["__main__"] = each.lineno
    return lines
