"""`url` or `endpoint` of a block; the IR has `url`."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ..errors import FlowError
from ..read.mapping import Key
from ..read.payload import read_templated

URL_KEYS = {
    "url": Key("where to; a relative URL joins the target's base URL"),
    "endpoint": Key("another word for `url`"),
}


def read_block_url(fields: Mapping[str, Any]) -> Optional[str]:
    """One of the two; None when neither is given."""
    if "url" in fields and "endpoint" in fields:
        raise FlowError(
            "url-and-endpoint",
            "`url` and `endpoint` mean the same, so only one of them can stand here",
            "remove one of them",
        )
    for key in ("url", "endpoint"):
        if key in fields:
            text = read_templated(fields[key], f"`{key}`")
            if text.strip() == "":
                raise FlowError("bad-url", f"`{key}` cannot be empty")
            return text
    return None
