"""Content codings taken off a body (RFC 9110 section 8.4.1), for extraction only."""

from __future__ import annotations

import zlib

#: Bytes a body may decode to.
MAX_DECODED_BYTES = 16 * 1024 * 1024
_MAX_CODINGS = 4


def decode_content(body: bytes, encoding: str) -> bytes:
    """Takes off gzip and deflate, last to first.

    :raises ValueError: for another coding (`br` needs `bench` itself), data that
        is not in it, or more than 16 MiB of output
    """
    codings = [each.strip() for each in encoding.lower().split(",")]
    codings = [each for each in codings if each not in ("", "identity")]
    if len(codings) > _MAX_CODINGS:
        raise ValueError("too many content codings")
    for coding in reversed(codings):
        body = _decode(body, coding)
    return body


def _decode(body: bytes, coding: str) -> bytes:
    if coding in ("gzip", "x-gzip"):
        return _inflate(body, 31)
    if coding == "deflate":
        # CMF and FLG of RFC 1950 section 2.2: method 8, and a multiple of 31.
        zlib_header = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return _inflate(body, 15 if zlib_header else -15)
    raise ValueError(f"`{coding}` cannot be decoded")


def _inflate(body: bytes, window: int) -> bytes:
    plain = b""
    while body:
        stream = zlib.decompressobj(window)
        try:
            plain += stream.decompress(body, MAX_DECODED_BYTES + 1 - len(plain))
        except zlib.error as error:
            raise ValueError(str(error)) from None
        if len(plain) > MAX_DECODED_BYTES:
            raise ValueError("decodes to too much")
        if not stream.eof:
            raise ValueError("unexpected end of file")
        body = stream.unused_data if window == 31 else b""
    return plain
