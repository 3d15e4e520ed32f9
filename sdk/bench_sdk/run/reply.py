"""An HTTP answer as checks and results see it."""

from __future__ import annotations

import base64
import json
import re
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Optional, Tuple

from ..values.json import OMIT
from ..wire.connections import Answer
from ..wire.content import decode_content
from .execution import Failure, Message

#: What is wrong with a whole answer that is no throttle; None when nothing is.
Judge = Callable[["Reply"], Optional[Failure]]


class Reply:
    """:ivar signal: `ok`, `throttle` or `failure`, before the step's own rules"""

    def __init__(self, answer: Answer, sent: bytes, judge: Judge) -> None:
        self.answer = answer
        self.sent = sent
        self.latency_ms = answer.latency_ms
        self._json: Any = None
        self._read = False
        self.failure: Optional[Failure] = None
        self.signal = "ok"
        if answer.failure:
            self.failure = Failure(answer.failure.code, answer.failure.message)
        elif answer.status == 429:
            self.signal = "throttle"
        else:
            self.failure = judge(self)
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

    def request(self) -> Message:
        """The request as it was written."""
        head, _, body = self.sent.partition(b"\r\n\r\n")
        line, *fields = head.decode("utf-8", "replace").split("\r\n")
        headers = tuple(_pair(field) for field in fields)
        return _message(line, headers, body)

    def response(self) -> Optional[Message]:
        """The answer; None when there was none."""
        if not self.answer.status_line:
            return None
        return _message(self.answer.status_line, self.answer.headers, self._content())

    def _parse(self) -> Any:
        content = self._content()
        if not content:
            return OMIT
        text = content.decode("utf-8", "replace")
        try:
            return json.loads(
                text[1:] if text.startswith("\ufeff") else text,
                parse_constant=_no_constant,
                parse_int=_number,
            )
        except (ValueError, RecursionError):
            return OMIT

    def _content(self) -> bytes:
        """The body without its content coding; as it came when that is broken."""
        coding = self.header("content-encoding")
        if coding is None:
            return self.answer.body
        try:
            return decode_content(self.answer.body, coding)
        except ValueError:
            return self.answer.body


def judge_status(reply: Reply) -> Optional[Failure]:
    """A status of 400 or more is a failure."""
    answer = reply.answer
    if answer.status < 400:
        return None
    return Failure("status", f"the answer was {answer.status_line[9:] or answer.status}")


def _message(line: str, headers: Tuple[Tuple[str, str], ...], body: bytes) -> Message:
    if not body:
        return Message(line, headers)
    try:
        return Message(line, headers, body.decode("utf-8"))
    except UnicodeDecodeError:
        return Message(line, headers, base64.b64encode(body).decode("ascii"), "base64")


def _pair(field: str) -> Tuple[str, str]:
    name, _, value = field.partition(":")
    return name, value.lstrip()


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _number(digits: str) -> Any:
    """Integers beyond 2^53 become doubles, as in ECMAScript."""
    value = int(digits)
    return value if abs(value) < 2**53 else float(value)
