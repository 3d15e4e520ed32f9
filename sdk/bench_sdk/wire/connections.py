"""Kept-alive HTTP/1.1 connections, one for each origin."""

from __future__ import annotations

import select
import socket
import ssl
from typing import Dict, List, NamedTuple, Optional, Tuple, Union

from .allow_list import AllowList
from .answer_reader import MAX_BODY_BYTES, AnswerReader
from .clock import Clock
from .connect_error import connect_error, lookup_error, tls_error
from .host import is_address
from .origin import Origin
from .wire_error import WireError

_CHUNK = 64 * 1024
#: Only an address that cannot be reached makes the next one worth trying.
_TRIED_ON = ("refused", "unreachable", "connect")

Socket = Union[socket.socket, ssl.SSLSocket]


class Answer(NamedTuple):
    """What came back; `status` is 0 when there was no head.

    :ivar latency_ms: from the send; from the start when nothing came
    """

    status: int
    status_line: str
    headers: Tuple[Tuple[str, str], ...]
    body: bytes
    latency_ms: float
    failure: Optional[WireError]


class Connections:
    """The connections of one virtual user."""

    def __init__(self, allowed: AllowList, clock: Clock, timeout_ms: float) -> None:
        self._allowed = allowed
        self._clock = clock
        self._timeout_ms = timeout_ms
        self._open: Dict[str, Socket] = {}

    def exchange(self, origin: Origin, method: str, request: bytes) -> Answer:
        """Sends one request, never twice, and reads its answer.

        Trouble on the wire is the answer's `failure`.
        """
        start = self._clock.now()
        exchange = _Exchange(self._clock, start, self._timeout_ms, request, method == "HEAD")
        link = self._idle(origin)
        if link is None:
            try:
                link = self._dial(origin, exchange)
            except WireError as error:
                return Answer(0, "", (), b"", self._clock.now() - start, error)
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
        if select.select([link], [], [], 0)[0]:
            link.close()
            return None
        return link

    def _dial(self, origin: Origin, exchange: _Exchange) -> Socket:
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

    def _connect(self, address: str, origin: Origin, exchange: _Exchange) -> Socket:
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
            context = ssl.create_default_context()
            context.set_alpn_protocols(["http/1.1"])
            return context.wrap_socket(link, server_hostname=origin.host)
        except OSError as error:
            link.close()
            if isinstance(error, socket.timeout):
                raise exchange.late(doing) from None
            raise tls_error(error, origin.host) from None


class _Exchange:
    """One request and its answer, under one deadline."""

    def __init__(
        self, clock: Clock, start: float, timeout_ms: float, request: bytes, to_head: bool
    ) -> None:
        self.reader = AnswerReader(to_head)
        self.send_start = start
        self._clock = clock
        self._start = start
        self._timeout_ms = timeout_ms
        self._request = request
        self._sent = 0
        self._received = 0

    def left(self, doing: str) -> float:
        """Seconds to the deadline.

        :raises WireError: `timeout` when it is over
        """
        left = self._start + self._timeout_ms - self._clock.now()
        if left <= 0:
            raise self.late(doing)
        return left / 1_000

    def late(self, doing: str) -> WireError:
        """The error of a deadline that is over."""
        waited = round(self._timeout_ms)
        return WireError("timeout", f"No whole answer within {waited} ms: timed out {doing}")

    def carry_out(self, link: Socket) -> Answer:
        """Writes and reads; never raises for trouble on the wire."""
        failure: Optional[WireError] = None
        try:
            self._write(link)
            self._read(link)
            if self.reader.too_large:
                failure = WireError(
                    "too-large",
                    f"The body is longer than the {MAX_BODY_BYTES} bytes that are kept",
                )
        except WireError as error:
            failure = error
        if failure is not None:
            self.reader.reusable = self.reader.reusable and failure.code == "too-large"
        reader = self.reader
        begun = self.send_start if self._received else self._start
        return Answer(
            reader.head.status,
            reader.head.status_line,
            (*reader.head.fields, *reader.trailers),
            b"" if failure else bytes(reader.body),
            self._clock.now() - begun,
            failure,
        )

    def _write(self, link: Socket) -> None:
        """A failed write is left to the read side: an early answer may be there."""
        while self._sent < len(self._request):
            try:
                link.settimeout(self.left(self._doing()))
                self._sent += link.send(self._request[self._sent : self._sent + _CHUNK])
            except socket.timeout:
                raise self.late(self._doing()) from None
            except OSError:
                return

    def _read(self, link: Socket) -> None:
        while True:
            try:
                link.settimeout(self.left(self._doing()))
                data = link.recv(_CHUNK)
            except socket.timeout:
                raise self.late(self._doing()) from None
            except ConnectionResetError:
                raise self._broken("reset", "") from None
            except OSError as error:
                raise self._broken("reset", f" ({error.strerror or error})") from None
            if not data:
                if self.reader.finish():
                    return
                raise self._broken("closed", "")
            self._received += len(data)
            if self.reader.take(data):
                return

    def _doing(self) -> str:
        if self._sent < len(self._request):
            return f"writing the request ({self._sent} of {len(self._request)} bytes)"
        if self._received == 0:
            return "waiting for the first byte"
        part = "body" if self.reader.in_body else "head"
        return f"reading the {part} ({self._received} bytes came)"

    def _broken(self, how: str, why: str) -> WireError:
        if self._received == 0:
            came = (
                f"before any byte of the answer came; {self._sent} of "
                f"{len(self._request)} bytes of the request were sent"
            )
        else:
            came = f"after {self._received} bytes of an answer that was not whole"
        return WireError("reset", f"The peer {how} the connection {came}{why}")
