"""The one spelling of a host (RFC 3986 section 3.2.2, WHATWG URL section 3.5)."""

from __future__ import annotations

import re
import socket
from typing import List, Match, Optional

_BAD = re.compile(r"[\x00-\x20\x7f\\/?#@<>^|`{}\"]")
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


def normalize_host(written: str) -> str:
    """Lower case, IDN as punycode, no trailing dot, IPv4 as four decimal parts,
    IPv6 compressed and without its brackets.

    :raises ValueError: when the text is not a host, or hides what it is
    """
    if written == "":
        raise _refuse(written, "it is empty")
    if "%" in written:
        raise _refuse(written, "percent escapes in a host are not allowed")
    bad = _BAD.search(written)
    if bad:
        raise _refuse(written, f"{_visible(bad[0])} is not allowed in a host")
    if not written.startswith("["):
        if re.search(r"[:\[\]]", written):
            raise _refuse(written, "an IPv6 address needs brackets")
        host = _name(written)
    else:
        host = _ipv6(written)
    if host is None:
        raise _refuse(written, "it is neither a name nor an address")
    return host


def is_address(host: str) -> bool:
    """Whether a normalised host is an address, which needs no name look-up."""
    return ":" in host or re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+", host) is not None


def _name(written: str) -> Optional[str]:
    try:
        host = written if written.isascii() else written.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    host = host.lower()
    if host.endswith("."):
        host = host[:-1]
    if re.search(r"(^|\.)([0-9]+|0x[0-9a-f]*)$", host):
        return _ipv4(host)
    return host if _NAME.fullmatch(host) else None


def _ipv4(host: str) -> Optional[str]:
    parts = host.split(".")
    if len(parts) > 4:
        return None
    numbers: List[int] = []
    for part in parts:
        try:
            if part.startswith("0x"):
                numbers.append(int(part[2:] or "0", 16))
            else:
                numbers.append(int(part, 8 if re.match("0[0-9]", part) else 10))
        except ValueError:
            return None
    *first, last = numbers
    if any(number > 255 for number in first) or last >= 256 ** (5 - len(numbers)):
        return None
    value = last + sum(number << 8 * (3 - index) for index, number in enumerate(first))
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def _ipv6(written: str) -> Optional[str]:
    if not written.endswith("]"):
        return None
    try:
        packed = socket.inet_pton(socket.AF_INET6, written[1:-1])
    except OSError:
        return None
    groups = [f"{packed[i] << 8 | packed[i + 1]:x}" for i in range(0, 16, 2)]
    longest = max(re.finditer(r"(?:^|:)0(?::0)+(?=:|$)", ":".join(groups)), key=_length, default=None)
    text = ":".join(groups)
    if longest is None:
        return text
    return f"{text[: longest.start()]}::{text[longest.end() :].lstrip(':')}"


def _length(match: Match[str]) -> int:
    return match.end() - match.start() + (match.start() == 0)


def _refuse(written: str, why: str) -> ValueError:
    return ValueError(f"`{written}` is not a usable host: {why}")


def _visible(character: str) -> str:
    code = ord(character)
    return f"`{character}`" if 0x20 < code < 0x7F else f"the character U+{code:04X}"
