"""No credential could be had."""

from __future__ import annotations


class AuthError(Exception):
    """No credential could be had; the step fails with this message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
