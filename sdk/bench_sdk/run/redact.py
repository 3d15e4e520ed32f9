"""Results without the values of secrets."""

from __future__ import annotations

import base64
from typing import Any, Tuple, TypeVar, cast

from .execution import Message
from .secrets import MARK, Secrets

T = TypeVar("T")


def redact(result: T, secrets: Secrets) -> T:
    """A copy of a result, every secret in its strings replaced by `[redacted]`."""
    copy: T = _walk(result, secrets)
    return copy


def _walk(value: Any, secrets: Secrets) -> Any:
    if isinstance(value, str):
        return _text(value, secrets)
    if isinstance(value, Message):
        return _message(value, secrets)
    if isinstance(value, tuple):
        parts = cast(Tuple[Any, ...], value)
        items = [_walk(each, secrets) for each in parts]
        make: Any = getattr(parts, "_make", tuple)
        return make(items)
    return value


def _text(text: str, secrets: Secrets) -> str:
    """A text shortened with an ellipsis may end in the first half of a secret."""
    cut = text.endswith("…")
    return f"{secrets.scrub_cut(text[:-1])}…" if cut else secrets.scrub(text)


def _message(message: Message, secrets: Secrets) -> Message:
    headers = tuple((_text(name, secrets), _text(value, secrets)) for name, value in message.headers)
    body = message.body
    if body is not None and message.body_encoding == "base64":
        body = secrets.scrub(_inside_base64(body, secrets))
    elif body is not None:
        body = _text(body, secrets)
    return Message(_text(message.line, secrets), headers, body, message.body_encoding)


def _inside_base64(body: str, secrets: Secrets) -> str:
    """Rewrites what base64 text holds."""
    binary = base64.b64decode(body).decode("latin-1")
    clean = _text(binary, secrets)
    if clean == binary or MARK not in clean:
        return body
    # As for the engine, the bytes of a binary body are characters of one byte.
    return base64.b64encode(clean.encode("latin-1", "replace")).decode("ascii")
