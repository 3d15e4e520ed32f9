"""The headers a step declares."""

from __future__ import annotations

import re
from typing import Any, Dict, Mapping

from ..auth.names import FRAMING, TOKEN
from ..errors import FlowError


def check_headers(step: Mapping[str, Any]) -> None:
    """:raises FlowError: `duplicate-header`, `bad-header` or `framing-header`"""
    first: Dict[str, str] = {}
    for name, value in step["block"].get("headers", {}).items():
        twin = first.setdefault(name.lower(), name)
        if twin != name:
            raise FlowError(
                "duplicate-header",
                f"`{twin}` and `{name}` are the same header: letter case does not count",
                "keep one of them",
            )
        if not TOKEN.fullmatch(name):
            raise _bad_name(name)
        if name.lower() in FRAMING:
            raise FlowError(
                "framing-header",
                f"`{name}` cannot be declared: the engine writes what frames a request",
                "remove the header",
            )
        if re.search("[\r\n\0]", value):
            raise FlowError(
                "bad-header",
                f"the value of header `{name}` has a line break or a NUL in it",
                "a header is one line",
            )


def _bad_name(name: str) -> FlowError:
    return FlowError(
        "bad-header",
        "a header's name cannot be empty" if name == "" else f'"{name}" is not a header name',
        "keys are not templated: put the template into the value"
        if "{{" in name
        else "a header's name has letters, digits and !#$%&'*+-.^_`|~ only",
    )
