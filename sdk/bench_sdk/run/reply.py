"""An HTTP answer as checks and results see it."""

from __future__ import annotations

import base64
import re
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Optional, Tuple

from ..values.json import OMIT, read_json
from ..wire.connections import Answer
from ..wire.content import NeedsBrotli, content_of
from ..wire.wire_error import WireError
from .execution import Failure, Message

_BINARY = re.compile(r"^(image|audio|video|font)/(?!svg)|octet-stream|zip", re.IGNORECASE)
#: What is wrong with a whole answer that is no throttle; None when nothing is.
Judge = Callable[["Reply"], Optional[Failure]]


class Reply:
    """:ivar signal: `ok`, `throttle` or `failure`, before the step's own rules"""

    def __init__(self, answer: Answer, sent: bytes, capture: str, judge: Judge) -> None:
        """:param capture: what `request` and `response` give: `full`, `headers` or `none`"""
        self.answer = answer
        self._sent = sent
        self._capture = capture
        #: Only the engine can decode the body.
        self.is_brotli = False
        self._content = answer.body
        self.latency_ms = answer.latency_ms
        self._json: Any = None
        self._read = False
        self.failure: Optional[Failure] = None
        self.signal = "ok"
        if answer.failure:
            self.failure = Failure(answer.failure.code, answer.failure.message)
        else:
            broken = self._decode()
            if answer.status == 429:
                self.signal = "throttle"
            else:
                self.failure = broken or judge(self)
        if self.failure:
            self.signal = "failure"

    @property
    def status(self) -> Optional[int]:
        """The HTTP status; None when there was no answer."""
        return self.answer.status or None

    @property
    def broken(self) -> bool:
        """The exchange itself failed, not the status alone."""
        return self.failure is not None and self.failure.code != "status"

    def header(self, name: str) -> Optional[str]:
        """The first value of a field, any letter case."""
        lower = name.lower()
        return next((value for key, value in self.answer.headers if key.lower() == lower), None)

    def json(self) -> Any:
        """The body as JSON; `OMIT` when it is none."""
        if not self._read:
            self._json, self._read = self._parse(), True
        return self._json

    def retry_after_ms(self, now_ms: float) -> Optional[float]:
        """How long the answer asked to be left alone (RFC 9110 section 10.2.3)."""
        text = (self.header("retry-after") or "").strip()
        if re.fullmatch("[0-9]+", text):
            return float(text) * 1_000
        if not re.match("[A-Z][a-z]{2,8},? ", text):
            return None
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() * 1_000 - now_ms)
        except (TypeError, ValueError):
            return None

    def request(self) -> Optional[Message]:
        """The request as it was written; None when nothing could be sent."""
        if not self.answer.connected or self._capture == "none":
            return None
        head, _, body = self._sent.partition(b"\r\n\r\n")
        line, *fields = head.decode("utf-8", "replace").split("\r\n")
        headers = tuple(_pair(field) for field in fields)
        return self._message(line, headers, body if body else None)

    def response(self) -> Optional[Message]:
        """The answer; None when there was none."""
        if not self.answer.status_line or self._capture == "none":
            return None
        body = self._content if self.answer.body else None
        return self._message(self.answer.status_line, self.answer.headers, body)

    def _message(
        self, line: str, headers: Tuple[Tuple[str, str], ...], body: Optional[bytes]
    ) -> Message:
        """A body is text when it is UTF-8, else base64 (`lib/protocols/captured_body.ts`)."""
        if body is None or self._capture == "headers":
            return Message(line, headers)
        kind = next((value for name, value in headers if name.lower() == "content-type"), "")
        if not _BINARY.search(kind):
            try:
                return Message(line, headers, _without_mark(body).decode("utf-8"))
            except UnicodeDecodeError:
                pass
        return Message(line, headers, base64.b64encode(body).decode("ascii"), "base64")

    def _decode(self) -> Optional[Failure]:
        """A body that is not whole in its coding is a broken answer, whoever looks at it."""
        answer = self.answer
        try:
            self._content = content_of(answer.status, answer.headers, answer.body)
        except NeedsBrotli:
            self.is_brotli = True
        except WireError as error:
            return Failure(error.code, error.message)
        return None

    def _parse(self) -> Any:
        if not self._content or self.is_brotli:
            return OMIT
        return read_json(self._content.decode("utf-8", "replace"))


def judge_status(reply: Reply) -> Optional[Failure]:
    """A status of 400 or more is a failure."""
    answer = reply.answer
    if answer.status < 400:
        return None
    return Failure("status", f"the answer was {answer.status_line[9:] or answer.status}")


def _without_mark(body: bytes) -> bytes:
    """A byte order mark at the beginning is none of the text."""
    return body[3:] if body.startswith(b"\xef\xbb\xbf") else body


def _pair(field: str) -> Tuple[str, str]:
    name, _, value = field.partition(":")
    return name, value.lstrip()
