"""Credentials are templates, and neither header nor query parameter is written twice."""

from __future__ import annotations

import re
from typing import Any, List, Mapping
from urllib.parse import unquote

from ..auth.scheme import SCHEMES, Scheme
from ..errors import FlowError
from ..expr.template import Reference, parse_template, whole_reference
from ..values.json import is_object
from .names import KnownNames


def check_auth(step: Mapping[str, Any], names: KnownNames) -> None:
    """:raises FlowError: `secret-not-env`, `auth-query-clash` or `auth-header-clash`"""
    auth = step.get("auth")
    if not auth:
        return
    scheme = SCHEMES[auth["scheme"]]
    for key in scheme.secrets:
        check_secret(auth[key], key, scheme, names)
    _check_query(step, scheme)
    written = header_names(auth)
    for name in step["block"].get("headers", {}):
        if name.lower() in written:
            raise FlowError(
                "auth-header-clash",
                f"step `{step['id']}` declares the header `{name}`, "
                f"which its `{scheme.name}` auth writes too",
                "remove the header, or opt out with `auth: { scheme: none }`",
            )


def _check_query(step: Mapping[str, Any], scheme: Scheme) -> None:
    auth, block = step["auth"], step["block"]
    if scheme.name != "api_key" or auth["in"] != "query" or "{{" in auth["name"]:
        return
    query = block.get("query")
    declared: List[str] = [*query] if is_object(query) else []
    if auth["name"] not in [*declared, *_url_parameters(block.get("url", ""))]:
        return
    raise FlowError(
        "auth-query-clash",
        f"step `{step['id']}` declares the query parameter `{auth['name']}`, "
        f"which its `{scheme.name}` auth writes too",
        "remove the parameter, or opt out with `auth: { scheme: none }`",
    )


def _url_parameters(url: str) -> List[str]:
    """Names of the query parameters that are written out in a URL."""
    match = re.match(r"[^?#]*\?([^#]*)", url)
    return [unquote(text.partition("=")[0]) for text in match[1].split("&")] if match else []


def header_names(auth: Mapping[str, Any]) -> List[str]:
    """Header fields a scheme writes, in lower case; names that are templates left out."""
    scheme = auth["scheme"]
    if scheme in ("bearer", "basic", "oauth2_client_credentials"):
        return ["authorization"]
    keys: List[str] = []
    if scheme == "api_key" and auth["in"] == "header":
        keys = ["name"]
    elif scheme == "hmac":
        keys = ["header", "timestamp_header", *(["key_id_header"] if "key_id" in auth else [])]
    return [auth[key].lower() for key in keys if key in auth and "{{" not in auth[key]]


def check_secret(text: str, key: str, scheme: Scheme, names: KnownNames) -> None:
    """:raises FlowError: `secret-not-env` for what is no credential's template"""
    whole = whole_reference(text)
    if whole and whole.root == "env":
        return
    fixture = whole is not None and (whole.root in names.pools or whole.root == "user")
    if scheme.allows_variable and whole and not fixture:
        return
    if not any(isinstance(part, Reference) for part in parse_template(text)):
        what = "a literal"
    elif not whole:
        what = "a template with other text"
    else:
        what = "a fixture value" if fixture else "an extracted variable"
    wanted = "one {{ env.* }} template"
    if scheme.allows_variable:
        wanted += " or one extracted variable"
    raise FlowError(
        "secret-not-env",
        f"`{key}` must be exactly {wanted}, but it is {what}",
        _way_out(key, text, scheme),
        about=text,
    )


def _way_out(key: str, text: str, scheme: Scheme) -> str:
    word = scheme.name if key == "value" else key
    match = re.search(r"\{\{ (env\.[^ }]+) \}\}", text)
    name = match[1] if match else f"env.{word.upper()}"
    if scheme.name == "bearer" and re.match(r"Bearer\s", text, re.IGNORECASE):
        return f"the scheme writes `Bearer` itself: {{{{ {name} }}}}"
    return f"credentials come from the environment, so that they are redacted: {{{{ {name} }}}}"
