"""Content codings taken off a body (RFC 9110 section 8.4.1). Mirrors `lib/wire/content.ts`."""

from __future__ import annotations

import re
import zlib
from typing import List, Optional, Tuple

from .wire_error import WireError

#: Bytes a body may decode to.
MAX_DECODED_BYTES = 16 * 1024 * 1024
_MAX_CODINGS = 4
_KNOWN = ("gzip", "x-gzip", "deflate", "br")
_PARTIAL_CONTENT = 206
NO_BROTLI = (
    "the body is brotli (`Content-Encoding: br`), which execute() cannot decode: "
    "Python has no brotli of its own; run() can"
)


class NeedsBrotli(Exception):
    """Only the engine can decode this."""


def content_of(
    status: int, headers: Tuple[Tuple[str, str], ...], body: bytes
) -> bytes:
    """The body of an answer without its codings; of an unknown one as it came.

    :raises WireError: when it is not whole in its coding
    :raises NeedsBrotli: when one of them is brotli
    """
    encoding = ",".join(value for name, value in headers if name.lower() == "content-encoding")
    codings = codings_in(encoding)
    if not body or status == _PARTIAL_CONTENT or any(each not in _KNOWN for each in codings):
        return body
    return decode_content(body, encoding)


def decode_content(body: bytes, encoding: str) -> bytes:
    """Takes off gzip and deflate, last to first.

    :raises WireError: for another coding, data that is not in it, or too much of it
    :raises NeedsBrotli: when one of them is brotli
    """
    codings = codings_in(encoding)
    if not body or not codings:
        return body
    if len(codings) > _MAX_CODINGS:
        raise WireError(
            "content-encoding",
            f"`{len(codings)}` content codings are stacked: at most {_MAX_CODINGS} are taken off",
        )
    for coding in reversed(codings):
        body = _decode(body, coding)
    return body


def codings_in(encoding: str) -> List[str]:
    """The codings a `Content-Encoding` names, in lower case."""
    codings = [each.strip() for each in encoding.lower().split(",")]
    return [each for each in codings if each not in ("", "identity")]


def _decode(body: bytes, coding: str) -> bytes:
    if coding in ("gzip", "x-gzip"):
        return _inflate(body, 31, coding)
    if coding == "deflate":
        # CMF and FLG of RFC 1950 section 2.2: method 8, and a multiple of 31.
        zlib_header = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return _inflate(body, 15 if zlib_header else -15, coding)
    if coding == "br":
        raise NeedsBrotli
    raise WireError(
        "content-encoding",
        f"`{coding}` is not a content coding that can be decoded: expected gzip, deflate or br",
    )


def _inflate(body: bytes, window: int, coding: str) -> bytes:
    """gzip may have members and zeros after its end; nothing else may follow."""
    plain = b""
    while True:
        stream = zlib.decompressobj(window)
        try:
            plain += stream.decompress(body, MAX_DECODED_BYTES + 1 - len(plain))
        except zlib.error as error:
            raise _not_whole(coding, re.sub("^Error -?[0-9]+ [^:]*: ", "", str(error))) from None
        if len(plain) > MAX_DECODED_BYTES:
            raise WireError(
                "too-large", f"The {coding} body decodes to more than {MAX_DECODED_BYTES} bytes"
            )
        if not stream.eof:
            raise _not_whole(coding, "unexpected end of file")
        body = stream.unused_data
        if not body or (window == 31 and body[0] == 0):
            return plain
        if window != 31:
            raise _not_whole(coding, "Trailing garbage found after the compressed stream")


def _not_whole(coding: str, why: Optional[str]) -> WireError:
    return WireError("content-encoding", f"The body is not whole {coding} data: {why}")
