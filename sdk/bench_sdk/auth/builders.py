"""Builders of `auth` blocks, one a scheme."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Union

from ..check.names import KnownNames
from ..check.secrets import check_secret
from ..expr.template import whole_reference
from ..keywords import known_keywords
from .read import read_auth
from .scheme import SCHEMES


class Auth(Dict[str, Any]):
    """An `auth` block; made by `bearer()` and its neighbours."""


@known_keywords
def no_auth() -> Auth:
    """Opts a step out of the flow's auth."""
    return _auth("none")


@known_keywords
def bearer(token: str) -> Auth:
    """`Authorization: Bearer <token>` (RFC 6750 section 2.1).

    :param token: one `{{ env.* }}` template, or an extracted variable
    """
    return _auth("bearer", token=token)


@known_keywords
def basic(username: str, password: str) -> Auth:
    """`Authorization: Basic <base64>` (RFC 7617).

    :param password: one `{{ env.* }}` template
    """
    return _auth("basic", username=username, password=password)


@known_keywords
def api_key(name: str, value: str, in_: Optional[str] = None) -> Auth:
    """A key in a header field or a query parameter.

    :param value: one `{{ env.* }}` template
    :param in_: `header` (default) or `query`
    """
    return _auth("api_key", name=name, value=value, **{"in": in_})


@known_keywords
def cookie(name: str, value: str) -> Auth:
    """A cookie `name=value` (RFC 6265 section 4.2).

    :param value: one `{{ env.* }}` template
    """
    return _auth("cookie", name=name, value=value)


@known_keywords
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
    return _auth(
        "oauth2_client_credentials",
        token_url=token_url,
        client_id=client_id,
        client_secret=client_secret,
        scopes=scopes,
    )


@known_keywords
def hmac(
    secret: str,
    *,
    algorithm: Optional[str] = None,
    encoding: Optional[str] = None,
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
    return _auth(
        "hmac",
        secret=secret,
        algorithm=algorithm,
        encoding=encoding,
        header=header,
        key_id=key_id,
        key_id_header=key_id_header,
        timestamp_header=timestamp_header,
        sign=sign,
    )


def _auth(scheme: str, **fields: Any) -> Auth:
    block = Auth(scheme=scheme)
    block.update({key: value for key, value in fields.items() if value is not None})
    read = read_auth(block)
    # What is no template at all is wrong whatever flow it goes into.
    for key in SCHEMES[scheme].secrets:
        if read and whole_reference(read[key]) is None:
            check_secret(read[key], key, SCHEMES[scheme], KnownNames([]))
    return block
