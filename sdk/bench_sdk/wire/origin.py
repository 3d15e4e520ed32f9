"""Where a request goes: scheme family, host and port (RFC 6454)."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional, Tuple

from .host import normalize_host

#: Schemes by the family whose port and TLS they share.
FAMILIES = {
    "http": "http",
    "ws": "http",
    "grpc": "http",
    "https": "https",
    "wss": "https",
    "grpcs": "https",
}
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SPLIT = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)")


class Origin(NamedTuple):
    """`ws` and `grpc` count as http, `wss` and `grpcs` as https."""

    family: str
    #: In its one spelling; IPv6 without brackets.
    host: str
    port: int
    #: Equal for equal origins: `http://host:port`, the port always written.
    key: str
    #: The `Host` field: the port only when it is not the default.
    host_header: str


def split_url(url: str) -> Optional[Tuple[str, str, str]]:
    """Scheme, authority and rest (RFC 3986 appendix B); None without `scheme://`."""
    match = _SPLIT.match(url)
    return (match[1].lower(), match[2], url[match.end() :]) if match else None


def parse_origin(url: str) -> Origin:
    """The origin of an absolute URL; path, query and fragment are not looked at.

    :raises ValueError: when it is not absolute, names no usable host, has
        userinfo, an unknown scheme or an impossible port
    """
    split = split_url(url)
    if split is None:
        raise ValueError(
            f"`{url}` is not an absolute URL: expected scheme://host, such as http://localhost:8080"
        )
    scheme, authority, _ = split
    family = FAMILIES.get(scheme)
    if family is None:
        raise ValueError(
            f"`{scheme}` in `{url}` is not a usable scheme: expected {', '.join(FAMILIES)}"
        )
    if "@" in authority:
        # The text is left out of the message: it may hold a password.
        raise ValueError(
            "A URL must not hold userinfo (`user@` before the host): credentials belong to `auth`"
        )
    colon = authority.rfind(":")
    written, port = authority, ""
    if colon > authority.rfind("]"):
        written, port = authority[:colon], authority[colon + 1 :]
    host = normalize_host(written)
    return _origin(family, host, _port(port, url) if port else _DEFAULT_PORTS[family])


def _port(text: str, url: str) -> int:
    if not re.fullmatch("[0-9]+", text):
        raise ValueError(f"`{text}` in `{url}` is not a port number")
    if not 1 <= int(text) <= 65_535:
        raise ValueError(f"Port {text} in `{url}` is not in 1 to 65535")
    return int(text)


def _origin(family: str, host: str, port: int) -> Origin:
    bracketed = f"[{host}]" if ":" in host else host
    default = port == _DEFAULT_PORTS[family]
    return Origin(
        family,
        host,
        port,
        f"{family}://{bracketed}:{port}",
        bracketed if default else f"{bracketed}:{port}",
    )
