"""One request and its answer, under one deadline."""

from __future__ import annotations

import socket
import ssl
from typing import NamedTuple, Optional, Tuple, Union

from .answer_reader import MAX_BODY_BYTES, AnswerReader
from .clock import Clock
from .connect_error import reset_reason
from .wire_error import WireError

_CHUNK = 64 * 1024

Socket = Union[socket.socket, ssl.SSLSocket]


class Answer(NamedTuple):
    """What came back; `status` is 0 when there was no head.

    :ivar latency_ms: from the send; from the start when nothing came
    :ivar connected: there was somebody to send the request to
    """

    status: int
    status_line: str
    headers: Tuple[Tuple[str, str], ...]
    body: bytes
    latency_ms: float
    failure: Optional[WireError]
    connected: bool = True


class Exchange:
    """Counts what was sent and received, for the words of a failure."""

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
                raise self._broken("reset", f" ({reset_reason(error)})") from None
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
