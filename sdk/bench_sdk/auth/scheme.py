"""What a flow may say about auth: the keys of every scheme."""

from __future__ import annotations

from typing import Any, Dict, Mapping, NamedTuple, Sequence

from ..read.mapping import Key, KeyTable

CANONICAL_STRING = "{method}\n{path}\n{timestamp}\n{body_sha256}"


class Scheme(NamedTuple):
    """One scheme's vocabulary."""

    name: str
    #: Without `scheme` itself.
    keys: KeyTable
    #: Keys that must be exactly one `{{ env.* }}` template.
    secrets: Sequence[str] = ()
    #: Keys that are templates (all but HMAC's `sign` and closed words).
    templated: Sequence[str] = ()
    #: A secret key may also be an extracted variable (bearer's token).
    allows_variable: bool = False
    #: Closed words by key.
    choices: Mapping[str, Sequence[str]] = {}
    #: Keys that hold a list of strings; one string stands for a list of one.
    lists: Sequence[str] = ()
    #: Values filled in when a key is absent.
    defaults: Mapping[str, Any] = {}


_ALL = (
    Scheme("none", {}),
    Scheme(
        "bearer",
        {"token": Key("the token: one {{ env.* }} template or an extracted variable", True)},
        secrets=("token",),
        templated=("token",),
        allows_variable=True,
    ),
    Scheme(
        "basic",
        {
            "username": Key("the user's name", True),
            "password": Key("the user's password: one {{ env.* }} template", True),
        },
        secrets=("password",),
        templated=("username", "password"),
    ),
    Scheme(
        "api_key",
        {
            "name": Key("name of the header field or query parameter", True),
            "value": Key("the key: one {{ env.* }} template", True),
            "in": Key("where the key goes: header (default) or query"),
        },
        secrets=("value",),
        templated=("name", "value"),
        choices={"in": ("header", "query")},
        defaults={"in": "header"},
    ),
    Scheme(
        "cookie",
        {
            "name": Key("name of the cookie", True),
            "value": Key("value of the cookie: one {{ env.* }} template", True),
        },
        secrets=("value",),
        templated=("name", "value"),
    ),
    Scheme(
        "oauth2_client_credentials",
        {
            "token_url": Key(
                "absolute URL of the token endpoint, on a host of the target", True
            ),
            "client_id": Key("the client's id", True),
            "client_secret": Key("the client's secret: one {{ env.* }} template", True),
            "scopes": Key("scopes to ask for: a list, or one string"),
        },
        secrets=("client_secret",),
        templated=("token_url", "client_id", "client_secret", "scopes"),
        lists=("scopes",),
    ),
    Scheme(
        "hmac",
        {
            "secret": Key("the key: one {{ env.* }} template", True),
            "algorithm": Key("sha256 (default) or sha512"),
            "encoding": Key("hex (default) or base64"),
            "header": Key("field of the signature; X-Signature by default"),
            "key_id": Key("which key signed; sent in a field of its own"),
            "key_id_header": Key("field of the key id; X-Key-Id by default"),
            "timestamp_header": Key("field that carries the signing time"),
            "sign": Key("what is signed, with {method}, {path} and other placeholders"),
        },
        secrets=("secret",),
        templated=("secret", "header", "key_id", "key_id_header", "timestamp_header"),
        choices={"algorithm": ("sha256", "sha512"), "encoding": ("hex", "base64")},
        defaults={
            "algorithm": "sha256",
            "encoding": "hex",
            "header": "X-Signature",
            "key_id_header": "X-Key-Id",
            "sign": CANONICAL_STRING,
        },
    ),
)
SCHEMES: Dict[str, Scheme] = {scheme.name: scheme for scheme in _ALL}
