"""Names of headers, cookies and parameters that carry credentials."""

from __future__ import annotations

import re
from typing import Any, Mapping

from ..errors import FlowError
from ..expr.template import Reference, parse_template
from ..values.canonical import canonical

#: A token (RFC 9110 section 5.6.2). Cookie names are tokens too (RFC 6265).
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

#: Fields that frame a message or belong to the connection (RFC 9110 sections
#: 7.6.1 and 8.6, RFC 9112 section 6): only the client itself writes them.
FRAMING = frozenset(
    "connection content-length expect host keep-alive proxy-connection te trailer "
    "transfer-encoding upgrade".split()
)


def name_mistakes(block: Mapping[str, Any], key: str, use: str) -> None:
    """Checks the name under `key`, as far as the block alone tells.

    :raises FlowError: when it is no legal name, or can change
    """
    text = block.get(key)
    if not isinstance(text, str):
        return
    if "{{" not in text:
        check_name(text, key, use)
        return
    for part in parse_template(text):
        if isinstance(part, Reference) and part.root != "env":
            raise FlowError(
                "changing-name",
                f"`{key}` must be the same for every request, but `{part}` can change",
                "write the name out, or take it from {{ env.* }}",
            )


def check_name(name: str, key: str, use: str) -> None:
    """:raises FlowError: when `name` cannot be the name of a `use`"""
    if use == "header field" and name.lower() in FRAMING:
        raise FlowError(
            "framing-header",
            f"`{key}` cannot be `{name}`: the engine writes what frames a request",
            "choose another header field",
        )
    if name != "" if use == "query parameter" else TOKEN.fullmatch(name):
        return
    raise FlowError(
        "bad-name",
        f"`{key}` must be the name of a {use}, but it is {canonical(name)}",
        None
        if use == "query parameter"
        else "letters, digits and !#$%&'*+-.^_`|~ may stand in a name",
    )
