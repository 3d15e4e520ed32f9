"""Why there is no connection, or no whole answer."""

from __future__ import annotations

from typing import Optional


class WireError(Exception):
    """:ivar code: `refused`, `reset`, `dns`, `tls`, `timeout`, `protocol` ..."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def protocol_error(reason: str, detail: Optional[str] = None) -> WireError:
    """The peer did not speak HTTP/1.1 (RFC 9112).

    :param reason: a short fixed phrase, such as `bad chunk size`
    """
    return WireError("protocol", f"protocol: {reason}" + ("" if detail is None else f": {detail}"))
