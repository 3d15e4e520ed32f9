"""Connecting to an origin, with TLS for the https family."""

from __future__ import annotations

import socket
from typing import List, Optional

from .allow_list import AllowList
from .connect_error import connect_error, lookup_error, tls_error
from .exchange import Exchange, Socket
from .host import is_address
from .origin import Origin
from .secure import Secure
from .wire_error import WireError

#: Only an address that cannot be reached makes the next one worth trying.
_TRIED_ON = ("refused", "unreachable", "connect")


class Dialer:
    """The only place that opens connections to the target."""

    def __init__(self, allowed: AllowList, secure: Secure) -> None:
        self._allowed = allowed
        self._secure = secure

    def dial(self, origin: Origin, exchange: Exchange) -> Socket:
        """:raises WireError: with the reason why there is no connection"""
        self._allowed.check(origin)
        failed: Optional[WireError] = None
        for address in self._look_up(origin.host):
            try:
                return self._connect(address, origin, exchange)
            except WireError as error:
                if error.code not in _TRIED_ON:
                    raise
                both = error.message if failed is None else f"{failed.message}; {error.message}"
                failed = WireError(error.code if failed is None else failed.code, both)
        raise failed or lookup_error(None, origin.host)

    def _look_up(self, host: str) -> List[str]:
        if is_address(host):
            return [host]
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except socket.gaierror as error:
            raise lookup_error(error, host) from None
        return list(dict.fromkeys(str(each[4][0]) for each in found))

    def _connect(self, address: str, origin: Origin, exchange: Exchange) -> Socket:
        shown = f"[{address}]:{origin.port}" if ":" in address else f"{address}:{origin.port}"
        try:
            link = socket.create_connection((address, origin.port), exchange.left("connecting"))
        except OSError as error:
            if isinstance(error, socket.timeout):
                raise exchange.late("connecting") from None
            raise connect_error(error, shown) from None
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if origin.family == "http":
            return link
        doing = "in the TLS handshake"
        try:
            link.settimeout(exchange.left(doing))
            return self._secure.wrap(link, origin.host)
        except OSError as error:
            link.close()
            if isinstance(error, socket.timeout):
                raise exchange.late(doing) from None
            raise tls_error(error, origin.host) from None
