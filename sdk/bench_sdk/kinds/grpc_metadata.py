"""Headers of a `grpc` step, which become metadata."""

from __future__ import annotations

import re
from typing import Optional

from ..errors import FlowError

# Names the protocol itself gives a meaning (gRPC over HTTP/2, "Requests").
_RESERVED = re.compile("grpc-.*|content-type", re.IGNORECASE)


def check_metadata(name: str, value: str) -> None:
    """:raises FlowError: `reserved-metadata` or `bad-metadata`"""
    if _RESERVED.fullmatch(name):
        raise FlowError(
            "reserved-metadata",
            f"`{name}` cannot be declared: gRPC itself writes it",
            "remove the header",
        )
    # A line break is told for every kind of step.
    if "{{" in value or value == "" or re.search("[\r\n\0]", value):
        return
    mistake = _mistake(name, value)
    if mistake:
        raise FlowError("bad-metadata", mistake)


def _mistake(name: str, value: str) -> Optional[str]:
    if name.lower().endswith("-bin"):
        if re.fullmatch("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?", value):
            return None
        return f"the value of `{name}` must be base64, as every name that ends in -bin"
    if re.fullmatch(r"[\x20-\x7e]*", value):
        return None
    return (
        f"the value of `{name}` has a character that metadata cannot hold: "
        "it takes printable ASCII"
    )
