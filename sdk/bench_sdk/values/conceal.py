"""Dots for what nobody may read in a message."""

from __future__ import annotations

import re

#: The user and the password of a URL, with and without its scheme
#: (`lib/source/frame_text.ts`).
_USERINFO = re.compile(
    r"""(?<=://)[^\s/?#"'`{}]+(?=@)|(?<![^\s"'`,\[(])[^\s/?#:@"'`{}]+:[^\s/?#@"'`{}]+(?=@[\w\[])"""
)


def without_userinfo(text: str) -> str:
    """A text that may quote a URL, without the user in it."""
    return _USERINFO.sub(lambda match: "•" * len(match[0]), text)


#: `{{ ... }}`, `{{ env.` that is not closed, and the word a scheme writes itself
#: (`lib/source/conceal.ts`).
_SHOWN = re.compile(
    r"""(\{\{[^{}]*\}\}|\{\{\s*env\b[^{}"']*|\A(?:Bearer|Basic)\s+(?=\S))""", re.IGNORECASE
)
_HIDDEN = re.compile(r"\S(?:[^\r\n]*\S)?")


def dotted(text: str) -> str:
    """A text as dots, where it may be a credential; templates stay."""
    parts = _SHOWN.split(text)
    # What the pattern matched stands at the odd places.
    parts[::2] = [_HIDDEN.sub(lambda match: "•" * len(match[0]), each) for each in parts[::2]]
    return "".join(parts)
