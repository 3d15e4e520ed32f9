"""Schemes at work: what each adds to one attempt. Mirrors `lib/auth`."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ..errors import FlowError
from ..run.scope import Scope, is_constant
from ..values.canonical import canonical
from .auth_error import AuthError
from .names import check_name
from .sign_string import sign_parts
from .tokens import TokenRequest, Tokens

if TYPE_CHECKING:
    from ..wire.clock import Clock

Fields = List[Tuple[str, str]]


class Draft(NamedTuple):
    """A request as a signer sees it: path without the query, query without `?`."""

    method: str
    path: str
    query: str
    body: bytes


class Authorizer:
    """One step's auth, anew for every attempt.

    Its parts are asked for in the order the engine asks for them: `ready`,
    `query`, `cookie` and `headers`, then `sign` once the request is known.
    """

    def __init__(
        self,
        block: Mapping[str, Any],
        env: Mapping[str, str],
        clock: Clock,
        register: Callable[[str], None],
        tokens: Tokens,
    ) -> None:
        """:raises AuthError: for what the environment made an illegal name or user"""
        self._block = block
        self._clock = clock
        self._register = register
        self._tokens = tokens
        self._token = ""
        self._names = _names(block, env)
        if block["scheme"] == "basic" and is_constant(block):
            self._basic(Scope(env, {}, {}))
        #: What it adds depends on the request or on a token.
        self.signs = block["scheme"] in ("oauth2_client_credentials", "hmac")

    def ready(self, scope: Scope) -> None:
        """Fetches what has to be fetched first.

        :raises AuthError: when no token can be had
        """
        if self._block["scheme"] == "oauth2_client_credentials":
            self._token = self._tokens.token(self._token_request(scope))

    def query(self, scope: Scope) -> Fields:
        """Parameters for the URL."""
        in_query = self._block["scheme"] == "api_key" and self._block["in"] == "query"
        return [(self._names["name"], scope.text(self._block["value"]))] if in_query else []

    def cookie(self, scope: Scope) -> Optional[str]:
        """A pair for the `Cookie` field."""
        if self._block["scheme"] != "cookie":
            return None
        return f"{self._names['name']}={scope.text(self._block['value'])}"

    def headers(self, scope: Scope) -> Fields:
        """:raises AuthError: for credentials that cannot be sent"""
        block = self._block
        if block["scheme"] == "bearer":
            return [("Authorization", scope.text(f"Bearer {block['token']}"))]
        if block["scheme"] == "basic":
            return [("Authorization", self._basic(scope))]
        if block["scheme"] == "api_key" and block["in"] == "header":
            return [(self._names["name"], scope.text(block["value"]))]
        return []

    def sign(self, draft: Draft, scope: Scope) -> Fields:
        """Fields that depend on the whole request."""
        if self._block["scheme"] == "oauth2_client_credentials":
            return [("Authorization", f"Bearer {self._token}")]
        return self._sign(draft, scope) if self._block["scheme"] == "hmac" else []

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
        fields = [(self._names["header"], signed)]
        if "key_id" in block:
            fields.append((self._names["key_id_header"], key_id))
        if "timestamp_header" in block:
            fields.append((self._names["timestamp_header"], timestamp))
        return fields


def _names(block: Mapping[str, Any], env: Mapping[str, str]) -> Dict[str, str]:
    """Names of fields and parameters, which are the same for every request."""
    if block["scheme"] == "hmac":
        uses = dict.fromkeys(("header", "key_id_header", "timestamp_header"), "header field")
    else:
        in_query = block.get("in") == "query"
        cookie = block["scheme"] == "cookie"
        use = "cookie" if cookie else "query parameter" if in_query else "header field"
        uses = {"name": use}
    names: Dict[str, str] = {}
    for key, use in uses.items():
        if key in block:
            names[key] = Scope(env, {}, {}).text(block[key])
            try:
                check_name(names[key], key, use)
            except FlowError as error:
                raise AuthError(error.code, error.message) from None
    return names
