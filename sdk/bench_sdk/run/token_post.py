"""Token requests, sent the way steps are sent."""

from __future__ import annotations

from typing import Callable, List, Sequence, Tuple

from ..auth.auth_error import AuthError
from ..auth.tokens import Post
from ..wire.connections import Connections
from ..wire.content import NO_BROTLI, NeedsBrotli, decode_content
from ..wire.request_head import request_head
from ..wire.url import BaseUrl, resolve_url
from ..wire.wire_error import WireError
from .rate_gate import RateGate
from .request import USER_AGENT


def token_post(base: BaseUrl, gate: RateGate, connect: Callable[[], Connections]) -> Post:
    """Same client, allow-list, bound and ceiling; each has a connection of its own."""

    def post(url: str, headers: Sequence[Tuple[str, str]], body: str) -> Tuple[int, str]:
        cannot = f"Cannot fetch a token from `{url}`: "
        try:
            origin, path, query = resolve_url(url, base)
        except ValueError as error:
            raise AuthError("token-fetch", f"{cannot}{error}") from None
        data = body.encode("utf-8")
        fields: List[Tuple[str, str]] = [("Host", origin.host_header), *headers]
        fields += [("User-Agent", USER_AGENT), ("Content-Length", str(len(data)))]
        head = request_head("POST", f"{path}?{query}" if query else path, fields)
        gate.enter()
        connections = connect()
        try:
            answer = connections.exchange(origin, "POST", head.encode("utf-8") + data)
        finally:
            connections.close()
        if answer.failure:
            forbidden = answer.failure.code == "forbidden-host"
            code = "forbidden-host" if forbidden else "token-fetch"
            raise AuthError(code, f"{cannot}{answer.failure.message}")
        names = {name.lower(): value for name, value in reversed(answer.headers)}
        try:
            content = decode_content(answer.body, names.get("content-encoding", ""))
        except NeedsBrotli:
            raise AuthError("token-fetch", f"{cannot}{NO_BROTLI}") from None
        except WireError as error:
            raise AuthError("token-fetch", f"{cannot}{error}") from None
        return answer.status, content.decode("utf-8", "replace")

    return post
