"""`extract`: variables taken from an answer."""

from __future__ import annotations

import re
from typing import Any, Dict, Mapping, Union

from ..errors import FlowError
from ..expr.json_path import check_path
from ..values.json import describe, is_object
from .scalars import read_string

_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_-]*")


class Extraction:
    """Where a variable's value is taken from, when it is not a JSON path.

    Flow files cannot say these; the IR can.
    """

    def __init__(self, ir: Mapping[str, str]) -> None:
        self.ir = dict(ir)

    def __repr__(self) -> str:
        return f"Extraction({self.ir!r})"


def from_header(name: str) -> Extraction:
    """A variable taken from a header field of the answer, any letter case."""
    return Extraction({"from": "header", "name": read_string(name, "the header's name")})


def from_status() -> Extraction:
    """A variable taken from the answer's status."""
    return Extraction({"from": "status"})


def read_extract(value: Any) -> Dict[str, Dict[str, str]]:
    """The IR of an `extract` mapping."""
    if not is_object(value):
        raise FlowError(
            "wrong-type",
            f"`extract` must be a mapping, but it is {describe(value)}",
            "write each as `<variable>: $.path`",
        )
    extractions: Dict[str, Dict[str, str]] = {}
    for name, source in value.items():
        read = _source(str(name), source)
        if not isinstance(name, str) or not _VARIABLE.fullmatch(name):
            raise FlowError(
                "bad-name",
                "a variable's name starts with a letter or _ and goes on with letters, "
                f'digits, _ and -, but this is "{name}"',
            )
        extractions[name] = read
    return extractions


def _source(name: str, source: Union[str, Extraction]) -> Dict[str, str]:
    if isinstance(source, Extraction):
        return dict(source.ir)
    path = read_string(source, f"`{name}`")
    if not path.startswith("$"):
        hint = None
        if re.match(r"[.\[]", path):
            hint = f"did you mean `${path}`?"
        elif re.fullmatch(r"[\w.\[\]-]+", path, re.ASCII):
            hint = f"did you mean `$.{path}`?"
        raise FlowError(
            "json-path", f'a JSON path starts with `$`, but `{name}` is "{path}"', hint
        )
    try:
        check_path(path)
    except ValueError as error:
        raise FlowError("json-path", str(error)) from None
    return {"from": "body", "path": path}
