"""Builders of `auth` blocks, one a scheme."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from .blocks import Block, built
from .sites import checked
from .words import Algorithm, Encoding, KeyIn

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


class Auth(Block):
    """An `auth` block; made by `bearer()` and its neighbours."""


def no_auth() -> Auth:
    """Opts a step out of the flow's auth."""
    return built(Auth, {**locals(), "scheme": "none"})


@checked
def bearer(token: str) -> Auth:
    """`Authorization: Bearer <token>` (RFC 6750 section 2.1).

    :param token: one `{{ env.* }}` template, or an extracted variable
    """
    return built(Auth, {**locals(), "scheme": "bearer"})


@checked
def basic(username: str, password: str) -> Auth:
    """`Authorization: Basic <base64>` (RFC 7617).

    :param password: one `{{ env.* }}` template
    """
    return built(Auth, {**locals(), "scheme": "basic"})


@checked
def api_key(name: str, value: str, in_: Optional[KeyIn] = None) -> Auth:
    """A key in a header field or a query parameter.

    :param value: one `{{ env.* }}` template
    :param in_: `header` (default) or `query`
    """
    return built(Auth, {**locals(), "scheme": "api_key"})


@checked
def cookie(name: str, value: str) -> Auth:
    """A cookie `name=value` (RFC 6265 section 4.2).

    :param value: one `{{ env.* }}` template
    """
    return built(Auth, {**locals(), "scheme": "cookie"})


@checked
def oauth2_client_credentials(
    token_url: str,
    client_id: str,
    client_secret: str,
    scopes: Union[str, Sequence[str], None] = None,
) -> Auth:
    """`Authorization: Bearer <fetched token>` (RFC 6749 section 4.4).

    :param token_url: on a host of the target
    :param client_secret: one `{{ env.* }}` template
    """
    return built(Auth, {**locals(), "scheme": "oauth2_client_credentials"})


@checked
def hmac(
    secret: str,
    *,
    algorithm: Optional[Algorithm] = None,
    encoding: Optional[Encoding] = None,
    header: Optional[str] = None,
    key_id: Optional[str] = None,
    key_id_header: Optional[str] = None,
    timestamp_header: Optional[str] = None,
    sign: Optional[str] = None,
) -> Auth:
    """A signature of each attempt's final bytes, in a header field.

    :param secret: one `{{ env.* }}` template
    :param algorithm: `sha256` (default) or `sha512`
    :param encoding: `hex` (default) or `base64`
    :param sign: what is signed, with placeholders such as `{method}`
    """
    return built(Auth, {**locals(), "scheme": "hmac"})


#: What a step or a flow takes: `bearer(...)` and so on, or a mapping with the same keys.
AnyAuth = Mapping[str, Any]
