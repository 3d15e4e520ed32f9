"""A mistake inside a little language."""

from __future__ import annotations

from typing import Optional


class ExpressionError(ValueError):
    """What is wrong with an expression; the reader makes a `FlowError` of it."""

    def __init__(self, code: str, message: str, hint: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
