"""HMAC's `sign`: text with single-brace placeholders."""

from __future__ import annotations

import re
from typing import List

from ..errors import FlowError

PLACEHOLDERS = ("method", "path", "query", "body", "body_sha256", "timestamp", "key_id")
_HINT = "placeholders: " + ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)


def check_sign(text: str, has_key_id: bool) -> None:
    """:raises FlowError: `bad-sign` for a brace that is no placeholder"""
    template = re.search(r"\{\{[^{}]*\}\}", text)
    if template:
        raise FlowError("bad-sign", f"`sign` takes no templates, but it has `{template[0]}`", _HINT)
    for match in re.finditer(r"\{([^{}]*)\}", text):
        if match[1] not in PLACEHOLDERS:
            raise FlowError("bad-sign", f"`sign` has no placeholder `{match[0]}`", _HINT)
    brace = re.search(r"[{}]", re.sub(r"\{[^{}]*\}", "", text))
    if brace:
        raise FlowError(
            "bad-sign", f"`sign` has a `{brace[0]}` that belongs to no placeholder", _HINT
        )
    if "{key_id}" in text and not has_key_id:
        raise FlowError(
            "bad-sign",
            "`sign` uses `{key_id}`, but there is no `key_id`",
            "add `key_id`, or take the placeholder out",
        )


def sign_parts(text: str) -> List[str]:
    """Text and placeholders in turn; placeholders stand in their braces."""
    return [part for part in re.split(r"(\{[^{}]*\})", text) if part]
