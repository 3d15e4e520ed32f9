"""Addresses in a target. Mirrors `lib/parse/address.ts`."""

from __future__ import annotations

import re

from ..errors import FlowError
from ..wire.origin import FAMILIES, parse_origin

_BAD = "bad-base-url"
_CREDENTIALS = "credentials-in-target"
_ELSEWHERE = "put `auth` into the flow, with {{ env.* }} templates"
#: What people call a credential.
_CREDENTIAL_KEY = re.compile(
    "(?:auth|token|api_?key|password|passwd|secret|credentials?|username|user|headers|cookies?"
    "|client_(?:id|secret))",
    re.IGNORECASE,
)
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.?")


def check_base_url(text: str) -> None:
    """:raises FlowError: when it is no absolute URL of a host, or carries credentials"""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", text)
    if not scheme:
        bare = re.match(r"[A-Za-z0-9_.-]+(:[0-9]+)?(/|$)", text)
        raise FlowError(
            _BAD,
            f'"{text}" is not an absolute URL',
            f'did you mean "{_likely_scheme(text)}://{text}"?'
            if bare
            else 'for example "https://staging.example.com"',
        )
    if scheme[1].lower() not in FAMILIES:
        raise FlowError(_BAD, f"a base URL starts with http or https, not with `{scheme[1]}`")
    _check_authority(text)
    extra = re.search(r"[?#].*$", text)
    if extra:
        raise FlowError(_BAD, f"a base URL is a host and a path, without `{extra[0]}`")


def _likely_scheme(host: str) -> str:
    """A machine's own addresses seldom have a certificate."""
    return "http" if re.match(r"localhost([:/]|$)|127\.", host, re.IGNORECASE) else "https"


def _check_authority(text: str) -> None:
    authority = re.split("[/?#]", text.split("//", 1)[1], maxsplit=1)[0]
    _, at, place = authority.rpartition("@")
    host = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?", place)
    plain = host and (host[1].startswith("[") or _HOST.fullmatch(host[1]))
    try:
        if not plain or re.search(r"[\x00-\x20\\\x7f]", text):
            raise ValueError
        parse_origin(text.replace(authority, place, 1))
    except ValueError:
        raise FlowError(_BAD, f'"{text}" is not a valid URL') from None
    if at:
        raise FlowError(
            _CREDENTIALS,
            "a target file never carries credentials, but this URL has a user in it",
            _ELSEWHERE,
        )


def check_host_port(text: str) -> None:
    """:raises FlowError: when it is no `host:port`, with an IPv6 host in brackets"""
    match = re.fullmatch(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@?#\[\]]+):([0-9]{1,5})", text)
    if match and 1 <= int(match[1]) <= 65_535:
        return
    host = re.match(r"[A-Za-z0-9_]+://([^/]+)", text)
    if host:
        hint = f'without the scheme: "{host[1] if ":" in host[1] else f"{host[1]}:9090"}"'
    elif re.fullmatch("[A-Za-z0-9_.-]+", text):
        hint = f'did you mean "{text}:9090"?'
    else:
        hint = 'for example "10.0.0.5:9090"'
    raise FlowError(
        "bad-address", f'`agent_addr` must be "host:port", but it is "{text}"', hint
    )


def refuse_credentials(key: str) -> None:
    """:raises FlowError: for a key of a target that is called as credentials are"""
    if _CREDENTIAL_KEY.fullmatch(key):
        raise FlowError(
            _CREDENTIALS,
            f"a target file never carries credentials, but this one has `{key}`",
            _ELSEWHERE,
        )


def refuse_templates(text: str) -> str:
    """:raises FlowError: for a template: a target means the same everywhere"""
    if "{{" in text:
        raise FlowError(
            "template-not-allowed",
            "target files are not templated: the allow-list is fixed before a run",
            "write the value, or keep one target file for each environment",
        )
    return text
