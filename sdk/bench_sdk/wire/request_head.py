"""The head of a request (RFC 9112 section 3)."""

from __future__ import annotations

import re
from typing import Sequence, Tuple

from ..auth.names import TOKEN
from ..values.canonical import string_text


class RequestError(Exception):
    """A request that must not be put on the wire."""


def request_head(method: str, target: str, headers: Sequence[Tuple[str, str]]) -> str:
    """Request line, the fields in exactly this order, the empty line.

    :param target: origin form, `path?query`, already percent-encoded
    :raises RequestError: when a part could break out of its place
    """
    if not TOKEN.fullmatch(method):
        raise RequestError(f"{string_text(method)} is not a method: expected a word such as GET")
    if target == "" or re.search(r"[\x00-\x20\x7f]|[^\x00-\x7f]", target):
        why = "it is empty" if target == "" else "it holds a character that must be percent-encoded"
        raise RequestError(f"{string_text(target)} is not a request target: {why}")
    lines = [f"{method} {target} HTTP/1.1\r\n"]
    for name, value in headers:
        _check_field(name, value)
        lines.append(f"{name}: {value}\r\n")
    return "".join(lines) + "\r\n"


def _check_field(name: str, value: str) -> None:
    """Never shows the value, which may be a credential."""
    if not TOKEN.fullmatch(name):
        raise RequestError(
            f"{string_text(name)} is not a header name: only letters, digits and "
            "!#$%&'*+-.^_`|~ may stand in one"
        )
    bad = re.search("[\r\n\0]", value)
    if bad:
        what = {"\r": "CR", "\n": "LF", "\0": "NUL"}[bad[0]]
        raise RequestError(
            f"The value of the header `{name}` holds {what}, which never goes on the wire"
        )
