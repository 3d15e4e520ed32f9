"""Kept-alive HTTP/1.1 connections, one for each origin."""

from __future__ import annotations

import ssl
from typing import Dict, Optional

from .clock import Clock
from .dial import Dialer
from .exchange import Answer, Exchange, Socket
from .origin import Origin
from .wire_error import WireError


class Connections:
    """The connections of one virtual user."""

    def __init__(self, dialer: Dialer, clock: Clock, timeout_ms: float) -> None:
        self._dialer = dialer
        self._clock = clock
        self._timeout_ms = timeout_ms
        self._open: Dict[str, Socket] = {}

    def exchange(self, origin: Origin, method: str, request: bytes) -> Answer:
        """Sends one request, never twice, and reads its answer.

        Trouble on the wire is the answer's `failure`.
        """
        start = self._clock.now()
        exchange = Exchange(self._clock, start, self._timeout_ms, request, method == "HEAD")
        link = self._idle(origin)
        if link is None:
            try:
                link = self._dialer.dial(origin, exchange)
            except WireError as error:
                return Answer(0, "", (), b"", self._clock.now() - start, error, False)
            exchange.send_start = self._clock.now()
        answer = exchange.carry_out(link)
        if exchange.reader.reusable:
            self._open[origin.key] = link
        else:
            link.close()
        return answer

    def close(self) -> None:
        """Lets go of every connection."""
        for link in self._open.values():
            link.close()
        self._open.clear()

    def _idle(self, origin: Origin) -> Optional[Socket]:
        """An open connection; one the peer closed while it was idle is let go."""
        link = self._open.pop(origin.key, None)
        if link is None:
            return None
        if _is_quiet(link):
            return link
        link.close()
        return None


def _is_quiet(link: Socket) -> bool:
    """Whether nothing came: bytes nobody asked for would be taken for the next answer.

    A message of TLS itself, such as a new session ticket, is not for us.
    """
    try:
        link.settimeout(0)
        link.recv(1)
    except (BlockingIOError, ssl.SSLWantReadError):
        return True
    except OSError:
        return False
    return False
