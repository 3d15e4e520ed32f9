"""The bytes of one attempt: the same as the engine's."""

from __future__ import annotations

from typing import Any, List, Mapping, NamedTuple, Optional, Tuple, Union

from ..auth.authorizer import Authorizer, Draft
from ..values.canonical import canonical, utf16_key
from ..version import VERSION
from ..wire.origin import Origin
from ..wire.request_head import RequestError, request_head
from ..wire.url import BaseUrl, ResolvedUrl, encode_query, resolve_url
from .scope import Scope

#: A body may be expected with these, so an empty one is said (RFC 9110 section 8.6).
_ALWAYS_FRAMED = ("POST", "PUT", "PATCH")
USER_AGENT = f"bench/{VERSION}"


class ReadyRequest(NamedTuple):
    """Head and body, and where to."""

    origin: Origin
    data: bytes


def make_request(
    block: Mapping[str, Any],
    body: Optional[str],
    base: BaseUrl,
    authorizer: Optional[Authorizer],
    scope: Scope,
) -> ReadyRequest:
    """Fields in this order: Host, declared (sorted), auth, User-Agent, Content-Type,
    Content-Length (design section 7).

    :param body: the rendered body, None when there is none
    :raises AuthError: for credentials that cannot be sent
    :raises RequestError: when a part cannot stand in a request
    :raises ResolutionError: when a template has no value
    """
    url = locate(block["url"], base, scope)
    pairs = [*_query(block, scope), *(authorizer.query(scope) if authorizer else [])]
    added = "&".join(f"{encode_query(name)}={encode_query(value)}" for name, value in pairs)
    query = "&".join(each for each in (url.query, added) if each)
    data = (body or "").encode("utf-8")
    method = block["method"]
    fields = [("Host", url.origin.host_header), *_headers(block, authorizer, scope)]
    if authorizer:
        fields += authorizer.sign(Draft(method, url.path, query, data), scope)
    declared = {name.lower() for name in block.get("headers", {})}
    if "user-agent" not in declared:
        fields.append(("User-Agent", USER_AGENT))
    if body is not None and "content-type" not in declared:
        fields.append(("Content-Type", "application/json"))
    if body is not None or method in _ALWAYS_FRAMED:
        fields.append(("Content-Length", str(len(data))))
    head = request_head(method, f"{url.path}?{query}" if query else url.path, fields)
    return ReadyRequest(url.origin, head.encode("utf-8") + data)


def locate(url: str, base: BaseUrl, scope: Scope) -> ResolvedUrl:
    """:raises RequestError: when the templates make no URL that can be used"""
    try:
        return resolve_url(scope.text(url), base)
    except ValueError as error:
        raise RequestError(str(error)) from None


def call_body(block: Mapping[str, Any], scope: Scope) -> Optional[str]:
    """The body of a call or poll; None when it has none."""
    return scope.payload(block["body"]) if "body" in block else None


def graphql_body(block: Mapping[str, Any], scope: Scope) -> str:
    """Keys in canonical order, the document verbatim."""
    name = block.get("operation_name")
    parts = [] if name is None else [f'"operationName":{canonical(name)}']
    parts.append(f'"query":{canonical(block["query"])}')
    if block.get("variables"):
        parts.append(f'"variables":{scope.payload(block["variables"])}')
    return "{" + ",".join(parts) + "}"


def _query(block: Mapping[str, Any], scope: Scope) -> List[Tuple[str, str]]:
    query: Union[str, Mapping[str, Union[str, List[str]]]] = block.get("query", {})
    if isinstance(query, str):
        # Of a graphql step: its document.
        return []
    pairs: List[Tuple[str, str]] = []
    for name in sorted(query, key=utf16_key):
        value = query[name]
        pairs += [(name, scope.text(each)) for each in ([value] if isinstance(value, str) else value)]
    return pairs


def _headers(
    block: Mapping[str, Any], authorizer: Optional[Authorizer], scope: Scope
) -> List[Tuple[str, str]]:
    """Declared fields, those declared empty left out, then the scheme's."""
    declared = block.get("headers", {})
    fields: List[Tuple[str, str]] = []
    # One `Cookie` field, whoever asked for it (RFC 6265 section 5.4).
    joined = False
    for name in sorted(declared, key=utf16_key):
        if declared[name] == "":
            continue
        value = scope.text(declared[name])
        if name.lower() == "cookie" and authorizer and not joined:
            cookie = authorizer.cookie(scope)
            value = value if cookie is None else f"{value}; {cookie}"
            joined = True
        fields.append((name, value))
    if authorizer is None:
        return fields
    cookie = None if joined else authorizer.cookie(scope)
    if cookie is not None:
        fields.append(("Cookie", cookie))
    return [*fields, *authorizer.headers(scope)]
