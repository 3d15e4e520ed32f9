"""URLs made ready for the wire (RFC 3986)."""

from __future__ import annotations

import re
from typing import Match, NamedTuple
from urllib.parse import quote

from .origin import Origin, parse_origin, split_url

# pchar and "/" (RFC 3986 section 3.3); the query adds "?" (section 3.4).
_NOT_PATH = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/%-]+")
_NOT_QUERY = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]+")


class BaseUrl(NamedTuple):
    """One entry of `base_urls`; the path without a trailing slash."""

    origin: Origin
    path: str


class ResolvedUrl(NamedTuple):
    """Path and query as they are sent; the query without its `?`."""

    origin: Origin
    path: str
    query: str


def parse_base_url(text: str) -> BaseUrl:
    """Reads a base URL: absolute, no userinfo, no query, no fragment.

    :raises ValueError: when it is not such a URL
    """
    origin = parse_origin(text)
    split = split_url(text)
    rest = split[2] if split else ""
    extra = re.search("[?#]", rest)
    if extra:
        what = "query" if extra[0] == "?" else "fragment"
        raise ValueError(
            f"A base URL must not hold a {what}: remove everything from `{extra[0]}` on in `{text}`"
        )
    return BaseUrl(origin, _NOT_PATH.sub(_escape, rest).rstrip("/"))


def resolve_url(rendered: str, base: BaseUrl) -> ResolvedUrl:
    """A relative URL is `base` with its path in front; an absolute one stands for itself.

    Existing escapes and dot segments stay as written; the fragment is dropped.

    :raises ValueError: when it is neither, has userinfo or an unusable host
    """
    if rendered == "" or rendered[0] in "/?#":
        if rendered.startswith("//"):
            raise ValueError(
                f"`{rendered}` begins with `//`, which names another host: "
                "write the scheme too, or a single `/`"
            )
        return _finish(base.origin, base.path, rendered)
    split = split_url(rendered)
    if split is None:
        raise ValueError(
            f"`{rendered}` is neither a path nor an absolute URL: "
            "begin with `/`, or with a scheme such as `http://`"
        )
    return _finish(parse_origin(rendered), "", split[2])


def encode_query(text: str) -> str:
    """One query name or value: all but unreserved characters (RFC 3986 2.3) escaped."""
    return quote(text, safe="-._~", errors="replace")


def _finish(origin: Origin, before: str, rest: str) -> ResolvedUrl:
    whole = rest.split("#", 1)[0]
    path, _, query = whole.partition("?")
    sent = before + _NOT_PATH.sub(_escape, path)
    return ResolvedUrl(origin, sent or "/", _NOT_QUERY.sub(_escape, query))


def _escape(match: Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))
