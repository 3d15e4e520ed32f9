"""What is wrong with an argument of a run: its name, and where it was written."""

from __future__ import annotations

import ast
import linecache
import os
import re
import sys
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .document import shown_path
from .errors import Diagnostic, FlowError, diagnostics_of
from .sites import call_site, location, written

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True

_HERE = os.path.dirname(os.path.abspath(__file__))

#: What arguments are called where their flags or parameters have other names.
_OTHER = {
    "from": "start",
    "threshold": "thresholds",
    "hold": "hold_s",
    "for": "for_s",
    "trial": "trial_s",
    "cool-down": "cool_down_s",
    "with": "with_",
}
#: Flags that are arguments under their own names.
_SAME = (
    "across-targets against arrivals cacert cert contract http insecure iterations key least margin mode most "
    "openapi precision proxy ramp rate resolve row seed stop-on-breach store target tolerate-lost until vus workers"
)
_ARGUMENTS: Dict[str, str] = {**{each: each.replace("-", "_") for each in _SAME.split()}, **_OTHER}
_FLAG = re.compile(
    r"(?P<tick>`?)--(?P<name>" + "|".join(_ARGUMENTS) + r')(?![\w-])(?: (?P<value>"[^"]*"|<[^>]*>|load\b|\d[\w./]*\b))?(?P=tick)'
)
_SECONDS = {"s": 1, "m": 60, "h": 3600}
#: A line of the user's file below an error.
_FRAME = re.compile(r"\s*\d* \| ?")


def in_python(text: str) -> str:
    """A message of the engine in which flags of the command line are arguments; lines of files stay as they are."""
    lines = (line if _FRAME.match(line) else _FLAG.sub(_argument, line) for line in text.split("\n"))
    return "\n".join(lines).replace('"]` `thresholds=[', '", ')


def diagnostics_in_python(data: Mapping[str, Any]) -> Tuple[Diagnostic, ...]:
    """The diagnostics of a message of the engine, in which flags are arguments."""
    return tuple(
        each._replace(message=in_python(each.message), hint=None if each.hint is None else in_python(each.hint))
        for each in diagnostics_of(data)
    )


def _argument(flag: "re.Match[str]") -> str:
    name, value = _ARGUMENTS[flag["name"]], flag["value"]
    if value is None or value.startswith("<"):
        return f"`{name}`"
    seconds = re.fullmatch(r"(\d+)([smh])", value)
    if seconds and name.endswith("_s"):
        value = str(int(seconds[1]) * _SECONDS[seconds[2]])
    elif name == "http" or not re.match(r'"|[\d.]+$', value):
        value = f'"{value}"'
    return f"`{name}=[{value}]`" if name == "thresholds" else f"`{name}={value}`"


def refused_argument(name: str, message: str) -> FlowError:
    """The error of an argument, with its line where the call is written out.

    :param name: of the parameter, with what is below it, such as `thresholds[0]`
    :param message: what is wrong, without the name
    """
    first = re.split(r"[.\[]", name)[0]
    own = _OTHER.get(first, first)
    said = f"`{own}{name[len(first):]}`{message}".replace(f"`{own}`: `{own}` ", f"`{own}` ")
    at = _written_at(own)
    if at is None:
        return FlowError(said, ())
    file, (line, *columns) = at
    where = ":".join(str(part) for part in (shown_path(file), line, *columns[:1]))
    diagnostic = Diagnostic(shown_path(file), line, columns[0] if columns else None, "error", "argument", said, None)
    return FlowError(f"{where}: error: {said}{_frame(file, line, columns)}", [diagnostic])


def refused_flags(data: Mapping[str, Any]) -> FlowError:
    """The error of what the engine refused; what it says of a flag has the line of the argument."""
    found: List[Diagnostic] = []
    text = in_python(data["text"].rstrip("\n"))
    for each in diagnostics_in_python(data):
        name = _ARGUMENTS.get(each.file[2:]) if each.file.startswith("--") else None
        if name:
            error = refused_argument(name, f": {each.message}")
            own = error.diagnostics[0] if error.diagnostics else each._replace(file="", message=error.message)
            text = text.replace(f"`{name}`: {each.severity}: {each.message}", _of(each.severity, str(error)))
            each = own._replace(severity=each.severity, code=each.code, hint=each.hint)
        found.append(each)
    return FlowError(text, found)


def _of(severity: str, text: str) -> str:
    return text.replace(": error: ", f": {severity}: ", 1)


def _written_at(name: str) -> Optional[Tuple[str, List[int]]]:
    """File and location of an argument of the call that a program made of this package.

    Of a call that something else makes, such as a thread or pytest, there is none.
    """
    frame, depth, below = sys._getframe(), 0, 0
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
        # A method is below the check of its arguments.
        below = depth if frame.f_code.co_name != "check" else below
        frame, depth = frame.f_back, depth + 1
    site = call_site(below + 1)
    found = written(site)
    call = found.call
    called = getattr(call.func, "attr", getattr(call.func, "id", None)) if call else None
    if call is None or called != site.builder:
        return None
    node: ast.AST = found.keywords.get(name) or found.arguments.get(name) or call
    return site.file, location(node, site.file)


def _frame(file: str, line: int, columns: List[int]) -> str:
    text = linecache.getline(file, line).rstrip()
    margin = " " * len(str(line))
    start, length = columns or (1, 1)
    mark = " " * (start - 1) + "^" * length
    return f"\n{margin} |\n{line} | {text}\n{margin} | {mark}"
