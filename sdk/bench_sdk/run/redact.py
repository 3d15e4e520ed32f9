"""Results without the values of secrets."""

from __future__ import annotations

from typing import Any, TypeVar

from .execution import Message
from .secrets import Secrets

T = TypeVar("T")


def redact(result: T, secrets: Secrets) -> T:
    """A copy of a result, every secret in its strings replaced by `[redacted]`."""
    copy: T = _walk(result, secrets)
    return copy


def _walk(value: Any, secrets: Secrets) -> Any:
    if isinstance(value, str):
        # A text shortened with an ellipsis may end in the first half of a secret.
        cut = value.endswith("…")
        return f"{secrets.scrub_cut(value[:-1])}…" if cut else secrets.scrub(value)
    if isinstance(value, Message):
        return _message(value, secrets)
    if isinstance(value, tuple):
        items = [_walk(each, secrets) for each in value]
        made = getattr(type(value), "_make", None)
        return made(items) if made else tuple(items)
    return value


def _message(message: Message, secrets: Secrets) -> Message:
    headers = tuple((secrets.scrub(name), secrets.scrub(value)) for name, value in message.headers)
    body = message.body
    if body is not None:
        body = secrets.scrub(body)
    return Message(secrets.scrub(message.line), headers, body, message.body_encoding)
