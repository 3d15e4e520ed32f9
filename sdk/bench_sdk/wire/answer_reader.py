"""Reads one answer out of bytes that come in any pieces."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

from .head import MAX_HEAD_BYTES, Head, excerpt, read_field
from .wire_error import WireError, protocol_error

#: Bytes of a body that are kept; a longer one is drained and dropped.
MAX_BODY_BYTES = 16 * 1024 * 1024
#: Interim answers (1xx) before the final one.
MAX_INTERIM = 64
#: Bytes one chunk-size line may have, its extensions included.
MAX_SIZE_LINE = 16 * 1024
_SIZE = re.compile(rb"([0-9A-Fa-f]+)(;.*)?", re.DOTALL)
_BAD_VALUE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


class AnswerReader:
    """Order of calls: `take` until it says True, or `finish` when the peer closed."""

    def __init__(self, to_head: bool = False) -> None:
        self.head = Head()
        self.body = bytearray()
        self.trailers: List[Tuple[str, str]] = []
        #: The body was longer than `MAX_BODY_BYTES` and is not kept.
        self.too_large = False
        #: The connection may serve another request after this answer.
        self.reusable = False
        self._data = bytearray()
        self._to_head = to_head
        self._phase = "head"
        self._interim = 0
        self._remaining = 0
        self._trailer_bytes = 0

    @property
    def in_body(self) -> bool:
        """What is being waited for: the body, not the head."""
        return self._phase != "head"

    def take(self, data: bytes) -> bool:
        """Takes in more bytes; True when the answer is whole.

        :raises WireError: `protocol` with the reason
        """
        self._data += data
        while self._phase == "head":
            if not self.head.read(self._data):
                return False
            self._begin_body()
        if self._phase == "length":
            return self._take_length()
        if self._phase == "until close":
            self._keep(len(self._data))
            return False
        if self._phase == "done":
            return self._done()
        return self._take_chunks()

    def finish(self) -> bool:
        """The peer closed; True when that ends a whole answer."""
        return self._phase == "until close"

    def _begin_body(self) -> None:
        """Decides how the body is framed (RFC 9112 section 6.3)."""
        head = self.head
        del self._data[: head.end]
        if head.status < 200 and head.status != 101:
            self._interim += 1
            if self._interim > MAX_INTERIM:
                raise protocol_error("too many interim answers", f"over {MAX_INTERIM}")
            head.reset(0)
            return
        bodiless = self._to_head or head.status in (101, 204, 304)
        if bodiless or head.content_length == 0:
            self._phase = "done"
        elif head.chunked:
            self._phase = "size"
        elif head.content_length is not None:
            self._phase = "length"
            self._remaining = head.content_length
            self.too_large = head.content_length > MAX_BODY_BYTES
        else:
            self._phase = "until close"

    def _keep(self, count: int) -> None:
        if not self.too_large:
            self.body += self._data[:count]
            if len(self.body) > MAX_BODY_BYTES:
                self.too_large = True
                self.body.clear()
        del self._data[:count]

    def _take_length(self) -> bool:
        count = min(self._remaining, len(self._data))
        self._remaining -= count
        self._keep(count)
        return self._done() if self._remaining == 0 else False

    def _done(self) -> bool:
        """Bytes past the answer are not part of it, but make the next one doubtful."""
        self._phase = "done"
        self.reusable = not self._data and self.head.keep_alive and self.head.status != 101
        return True

    def _take_chunks(self) -> bool:
        """The chunked coding (RFC 9112 section 7.1)."""
        while True:
            if self._phase == "data":
                count = min(self._remaining, len(self._data))
                self._remaining -= count
                self._keep(count)
                if self._remaining > 0:
                    return False
                self._phase = "data end"
            if self._phase == "data end":
                if not b"\r\n".startswith(bytes(self._data[:2])):
                    raise protocol_error("chunk data is not followed by CR LF")
                if len(self._data) < 2:
                    return False
                del self._data[:2]
                self._phase = "size"
            line = self._next_line()
            if line is None:
                return False
            if self._phase == "size":
                self._remaining = _chunk_size(line)
                self._phase = "data" if self._remaining else "trailer"
            elif line == b"\r":
                return self._done()
            else:
                self._trailer_bytes += len(line) + 1
                if self._trailer_bytes > MAX_HEAD_BYTES:
                    raise _too_long(MAX_HEAD_BYTES, "bytes of trailers")
                self.trailers.append(read_field(line))

    def _next_line(self) -> Optional[bytes]:
        lf = self._data.find(b"\n")
        most = MAX_SIZE_LINE if self._phase == "size" else MAX_HEAD_BYTES
        if (lf if lf >= 0 else len(self._data)) > most:
            if self._phase == "size":
                raise protocol_error("chunk size line too long", f"more than {most} bytes")
            raise _too_long(most, "bytes")
        if lf < 0:
            return None
        line = bytes(self._data[:lf])
        del self._data[: lf + 1]
        return line


def _chunk_size(line: bytes) -> int:
    match = _SIZE.fullmatch(line[:-1]) if line.endswith(b"\r") else None
    if not match or int(match[1], 16) >= 2**53:
        raise protocol_error("bad chunk size", excerpt(line))
    if match[2] and _BAD_VALUE.search(match[2]):
        raise protocol_error("bad chunk extension")
    return int(match[1], 16)


def _too_long(most: int, what: str) -> WireError:
    return protocol_error("head too large", f"more than {most} {what}")
