"""OAuth2 access tokens of one execution (RFC 6749 section 4.4)."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Tuple
from urllib.parse import quote_plus

from ..values.json import OMIT, is_object, read_json
from ..values.readable import stringify
from .auth_error import AuthError

if TYPE_CHECKING:
    from ..wire.clock import Clock

#: Seconds before its end at which a token is fetched anew.
_EARLY = 30.0
#: Seconds a token is used at the least, however short it lives.
_SHORTEST_USE = 1.0

#: Sends one POST: URL, header fields, body; gives status and body.
Post = Callable[[str, List[Tuple[str, str]], str], Tuple[int, str]]


class TokenRequest(NamedTuple):
    """What one token is fetched with; equal requests share one token."""

    token_url: str
    client_id: str
    client_secret: str
    scope: str


class _Held(NamedTuple):
    """A token and its times, in milliseconds on the clock."""

    token: str
    fresh_until: float
    expires_at: float


class Tokens:
    """Keeps one token for each set of credentials.

    A token is good until 30 s before it expires; one that lives shorter for half
    its life, and any for at least 1 s. When a refresh fails, a token that has not
    expired is used on.
    """

    def __init__(self, post: Post, clock: Clock, register: Callable[[str], None]) -> None:
        self._post = post
        self._clock = clock
        self._register = register
        self._held: Dict[TokenRequest, _Held] = {}

    def token(self, request: TokenRequest) -> str:
        """:raises AuthError: when the token endpoint gives no token"""
        held = self._held.get(request)
        sent_at = self._clock.now()
        if held and sent_at < held.fresh_until:
            return held.token
        try:
            token, life = _read(*self._ask(request), request.token_url)
        except AuthError:
            now = self._clock.now()
            if not held or now >= held.expires_at:
                raise
            until = min(now + _SHORTEST_USE * 1_000, held.expires_at)
            self._held[request] = held._replace(fresh_until=until)
            return held.token
        self._register(token)
        use = max(life - _EARLY if life > _EARLY else life / 2, _SHORTEST_USE)
        self._held[request] = _Held(token, sent_at + use * 1_000, sent_at + life * 1_000)
        return token

    def _ask(self, request: TokenRequest) -> Tuple[int, str]:
        """HTTP Basic first, then once with the credentials in the form (RFC 6749 2.3.1)."""
        url = request.token_url
        client, secret = _form(request.client_id), _form(request.client_secret)
        blob = base64.b64encode(f"{client}:{secret}".encode()).decode("ascii")
        self._register(blob)
        form = "grant_type=client_credentials"
        if request.scope:
            form += f"&scope={_form(request.scope)}"
        first = self._send(url, form, blob)
        if first[0] not in (400, 401):
            return first
        second = self._send(url, f"{form}&client_id={client}&client_secret={secret}", None)
        if second[0] == 200:
            return second
        raise AuthError(
            "token-status",
            f"token endpoint `{url}` must answer 200, but it answered {first[0]}"
            f"{_reason(first[1])} to HTTP Basic and {second[0]}{_reason(second[1])} "
            "to credentials in the form",
        )

    def _send(self, url: str, form: str, blob: Optional[str]) -> Tuple[int, str]:
        headers = [
            ("Accept", "application/json"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        if blob is not None:
            headers.append(("Authorization", f"Basic {blob}"))
        return self._post(url, headers, form)


def _read(status: int, body: str, url: str) -> Tuple[str, float]:
    """The token and its life in seconds (RFC 6749 section 5.1)."""
    if status != 200:
        raise AuthError(
            "token-status",
            f"token endpoint `{url}` must answer 200, but it answered {status}{_reason(body)}",
        )
    fields = read_json(body)
    if not is_object(fields):
        kind = "other JSON"
        if fields is OMIT:
            kind = "an empty body" if body.strip() == "" else "text that is not JSON"
        raise AuthError(
            "token-not-json",
            f"token endpoint `{url}` must answer a JSON object, but it answered 200 with {kind}",
        )
    token, word = fields.get("access_token"), fields.get("token_type", "bearer")
    if not isinstance(token, str) or token == "":
        raise AuthError(
            "token-missing", f"token endpoint `{url}` answered 200 without an `access_token`"
        )
    if not isinstance(word, str) or word.lower() != "bearer":
        raise AuthError(
            "token-type", f"`token_type` from `{url}` must be bearer, but it is {stringify(word)}"
        )
    return token, _lifetime(fields.get("expires_in"), url)


def _lifetime(value: Any, url: str) -> float:
    if value is None:
        return float("inf")
    if isinstance(value, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
        return float(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
        return float(value)
    raise AuthError(
        "token-lifetime",
        f"`expires_in` from `{url}` must be a number of seconds, but it is {stringify(value)}",
    )


def _reason(body: str) -> str:
    """` (code: description)` of an error answer (RFC 6749 section 5.2), or nothing."""
    fields = read_json(body)
    if not is_object(fields) or not isinstance(fields.get("error"), str):
        return ""
    description = fields.get("error_description")
    error = fields["error"]
    return f" ({error}: {description})" if isinstance(description, str) else f" ({error})"


def _form(text: str) -> str:
    """application/x-www-form-urlencoded (RFC 6749 appendix B): space is `+`."""
    return quote_plus(text, safe="*-._").replace("~", "%7E")
