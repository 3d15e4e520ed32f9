"""Schemes at work: what each adds to one attempt."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, NamedTuple, Optional, Tuple

from ..errors import FlowError
from ..values.canonical import canonical
from .auth_error import AuthError
from .names import check_name
from .sign_string import sign_parts
from .tokens import TokenRequest, Tokens

if TYPE_CHECKING:
    from ..run.scope import Scope
    from ..wire.clock import Clock

Fields = List[Tuple[str, str]]


class Draft(NamedTuple):
    """A request as a signer sees it: path without the query, query without `?`."""

    method: str
    path: str
    query: str
    body: bytes


class Addition(NamedTuple):
    """What one attempt's request gets: fields, parameters, a `Cookie` pair."""

    headers: Fields = []
    query: Fields = []
    cookie: Optional[str] = None
    sign: Optional[Callable[[Draft], Fields]] = None


class Authorizer:
    """Makes the addition of one step's auth, anew for every attempt."""

    def __init__(
        self, block: Mapping[str, Any], clock: Clock, register: Callable[[str], None], tokens: Tokens
    ) -> None:
        self._block = block
        self._clock = clock
        self._register = register
        self._tokens = tokens

    def addition(self, scope: Scope) -> Addition:
        """:raises AuthError: when no credential can be had"""
        block, text = self._block, scope.text
        scheme = block["scheme"]
        if scheme == "bearer":
            return Addition([("Authorization", text(f"Bearer {block['token']}"))])
        if scheme == "basic":
            return Addition([("Authorization", self._basic(scope))])
        if scheme == "api_key":
            in_query = block["in"] == "query"
            name = _name(block, "name", "query parameter" if in_query else "header field", scope)
            pair = [(name, text(block["value"]))]
            return Addition(query=pair) if in_query else Addition(headers=pair)
        if scheme == "cookie":
            name = _name(block, "name", "cookie", scope)
            return Addition(cookie=f"{name}={text(block['value'])}")
        if scheme == "oauth2_client_credentials":
            token = self._tokens.token(self._token_request(scope))
            return Addition(sign=lambda draft: [("Authorization", f"Bearer {token}")])
        return Addition(sign=lambda draft: self._sign(draft, scope))

    def _basic(self, scope: Scope) -> str:
        """RFC 7617 section 2. The blob is a secret of its own."""
        user = scope.text(self._block["username"])
        if ":" in user:
            raise AuthError(
                "bad-username",
                f"`username` must not contain `:` (RFC 7617), but it is {canonical(user)}",
            )
        pair = f"{user}:{scope.text(self._block['password'])}"
        blob = base64.b64encode(pair.encode("utf-8")).decode("ascii")
        self._register(blob)
        return f"Basic {blob}"

    def _token_request(self, scope: Scope) -> TokenRequest:
        block, text = self._block, scope.text
        return TokenRequest(
            text(block["token_url"]),
            text(block["client_id"]),
            text(block["client_secret"]),
            " ".join(text(each) for each in block.get("scopes", ())),
        )

    def _sign(self, draft: Draft, scope: Scope) -> Fields:
        block = self._block
        timestamp = str(int(self._clock.wall() // 1_000))
        key_id = scope.text(block.get("key_id", ""))
        pieces = {
            "{method}": draft.method.encode(),
            "{path}": draft.path.encode(),
            "{query}": draft.query.encode(),
            "{body}": draft.body,
            "{body_sha256}": hashlib.sha256(draft.body).hexdigest().encode(),
            "{timestamp}": timestamp.encode(),
            "{key_id}": key_id.encode(),
        }
        message = b"".join(
            pieces.get(part, part.encode("utf-8")) for part in sign_parts(block["sign"])
        )
        secret = scope.text(block["secret"]).encode("utf-8")
        digest = hmac.new(secret, message, block["algorithm"]).digest()
        hex_form = block["encoding"] == "hex"
        signed = digest.hex() if hex_form else base64.b64encode(digest).decode("ascii")
        fields = [(_name(block, "header", "header field", scope), signed)]
        if "key_id" in block:
            fields.append((_name(block, "key_id_header", "header field", scope), key_id))
        if "timestamp_header" in block:
            fields.append((_name(block, "timestamp_header", "header field", scope), timestamp))
        return fields


def _name(block: Mapping[str, Any], key: str, use: str, scope: Scope) -> str:
    """A name, which the environment may give.

    :raises AuthError: when it is no legal one
    """
    name = scope.text(block[key])
    try:
        check_name(name, key, use)
    except FlowError as error:
        raise AuthError(error.code, error.message) from None
    return name
