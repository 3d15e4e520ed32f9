"""The head of an answer (RFC 9112 sections 4 to 6), and how its body is framed."""

from __future__ import annotations

import json
import re
from typing import List, Optional, Tuple

from .wire_error import WireError, protocol_error

#: Bytes one head may have, its empty line included.
MAX_HEAD_BYTES = 256 * 1024
_NAME = re.compile(rb"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_BAD_VALUE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_PREFIX = b"HTTP/1."


class Head:
    """Reads a head out of a growing buffer."""

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, at: int) -> None:
        """Makes ready for a head that begins at `at`."""
        self.start = at
        self.end = at
        self._line: int = at
        self.status = 0
        self.status_line = ""
        self.fields: List[Tuple[str, str]] = []
        #: None when the head does not say.
        self.content_length: Optional[int] = None
        self.chunked = False
        self.keep_alive = True
        self._http10 = False
        self._coding = ""

    def read(self, data: bytearray) -> bool:
        """Goes on reading; True when the head is whole.

        :raises WireError: `protocol` with the reason
        """
        while True:
            lf = data.find(b"\n", self._line)
            if lf < 0:
                if len(data) - self.start > MAX_HEAD_BYTES:
                    raise _too_long()
                if self.status == 0:
                    _check_prefix(bytes(data[self.start :]))
                return False
            line = bytes(data[self._line : lf])
            self._line = lf + 1
            if lf + 1 - self.start > MAX_HEAD_BYTES:
                raise _too_long()
            if self.status == 0:
                self._read_status(line)
            elif line == b"\r":
                self.end = lf + 1
                self._judge()
                return True
            else:
                self._read_field(*read_field(line))

    def _read_status(self, line: bytes) -> None:
        _check_prefix(line)
        text = line_text(line)
        if text[7:8] not in (b"0", b"1") or text[8:9].isdigit():
            raise _bad_version(text)
        if not re.fullmatch(rb"HTTP/1\.[01] [1-9][0-9]{2}(| .*)", text, re.DOTALL):
            raise protocol_error("bad status line", excerpt(text))
        bad = _BAD_VALUE.search(text, 12)
        if bad:
            raise bad_byte(bad[0][0])
        self._http10 = text[7:8] == b"0"
        self.status = int(text[9:12])
        self.status_line = text.decode("latin-1")

    def _read_field(self, name: str, value: str) -> None:
        self.fields.append((name, value))
        lower = name.lower()
        if lower == "content-length":
            self._read_length(value)
        elif lower == "transfer-encoding":
            # No `TE` is ever sent, so `chunked` is the only coding (RFC 9112 7.4).
            self._coding += value if self._coding == "" else f", {value}"
            if self.chunked or value.lower() != "chunked":
                raise protocol_error("unknown Transfer-Encoding", f"`{self._coding[:40]}`")
            self.chunked = True

    def _read_length(self, text: str) -> None:
        """Equal values, repeated or in a list, count once (RFC 9110 section 8.6)."""
        for part in text.split(","):
            digits = part.strip()
            if not re.fullmatch("[0-9]+", digits) or int(digits) >= 2**53:
                raise protocol_error("bad Content-Length", f"`{text[:40]}`")
            length = int(digits)
            if self.content_length not in (None, length):
                raise protocol_error(
                    "conflicting Content-Length", f"{self.content_length} and {length}"
                )
            self.content_length = length

    def _judge(self) -> None:
        if self.chunked and self.content_length is not None:
            raise protocol_error("Content-Length together with Transfer-Encoding")
        if self.chunked and self._http10:
            raise protocol_error("Transfer-Encoding in an HTTP/1.0 answer")
        words = [
            word.strip().lower()
            for name, value in self.fields
            if name.lower() == "connection"
            for word in value.split(",")
        ]
        self.keep_alive = "close" not in words and (not self._http10 or "keep-alive" in words)


def read_field(line: bytes) -> Tuple[str, str]:
    """One field line without its LF (RFC 9112 section 5).

    :raises WireError: `protocol` when it is not a field
    """
    text = line_text(line)
    if text[:1] in (b" ", b"\t"):
        raise protocol_error("folded header line")
    name = _NAME.match(text)
    at = name.end() if name else 0
    if at == 0 or text[at : at + 1] != b":":
        raise _bad_name(text, at)
    value = text[at + 1 :].strip(b" \t")
    bad = _BAD_VALUE.search(value)
    if bad:
        raise bad_byte(bad[0][0])
    return text[:at].decode("latin-1"), value.decode("latin-1")


def line_text(line: bytes) -> bytes:
    """A line without its CR.

    :raises WireError: `protocol` when the LF stands alone
    """
    if not line.endswith(b"\r"):
        raise protocol_error("bare LF in the head")
    return line[:-1]


def bad_byte(byte: int) -> WireError:
    """The error for a byte that may not stand in a value or reason phrase."""
    names = {0: "NUL", 13: "bare CR", 10: "bare LF"}
    if byte in names:
        return protocol_error(f"{names[byte]} in the head")
    return protocol_error("control character in the head", f"0x{byte:02x}")


def excerpt(text: bytes, most: int = 40) -> str:
    """The beginning of some bytes, quoted."""
    return json.dumps(text[:most].decode("latin-1"), ensure_ascii=False)


def _bad_name(text: bytes, at: int) -> WireError:
    if 0 < at < len(text) and text[at : at + 1] in (b" ", b"\t"):
        return protocol_error("white space before the colon")
    if at < len(text) and _BAD_VALUE.match(text, at):
        return bad_byte(text[at])
    return protocol_error("bad header name", excerpt(text))


def _check_prefix(text: bytes) -> None:
    """Sees at once, without waiting for a LF, that the peer speaks something else."""
    for index, byte in enumerate(text[: len(_PREFIX)]):
        if byte != _PREFIX[index]:
            if index < 5:
                raise protocol_error("not an HTTP/1.1 answer", f"it begins {excerpt(text)}")
            raise _bad_version(text)


def _bad_version(text: bytes) -> WireError:
    return protocol_error("HTTP version is neither 1.0 nor 1.1", excerpt(text, 9))


def _too_long() -> WireError:
    return protocol_error("head too large", f"more than {MAX_HEAD_BYTES} bytes")
