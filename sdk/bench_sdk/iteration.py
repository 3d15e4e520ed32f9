"""One iteration of a run, typed: its steps, their attempts, what was sent and came back."""

from __future__ import annotations

import base64
import json
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple


def record_of(kind: Any, data: Mapping[str, Any], **more: Any) -> Any:
    """A named tuple of what `data` has of its fields; those of a later version are left out."""
    needed = {name: None for name in kind._fields if name not in kind._field_defaults}
    return kind(**{**needed, **{name: data[name] for name in kind._fields if name in data}, **more})


class TypedValue(NamedTuple):
    """A value with its type, as a failure shows it."""

    type: str
    text: str
    operator: Optional[str] = None

    def __str__(self) -> str:
        text = f"{self.type} <{self.text}>" if self.text else self.type
        return f"{self.operator} {text}" if self.operator else text


class Failure(NamedTuple):
    """Why something did not pass.

    :ivar code: stable kebab-case cause, such as `assertion` or `timeout`
    :ivar file: where the failed part of the flow is written, with `line` and `column`
    """

    code: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    expected: Optional[TypedValue] = None
    actual: Optional[TypedValue] = None

    @property
    def location(self) -> str:
        """`file:line:column`; empty when it is not known."""
        return "" if self.file is None else f"{self.file}:{self.line}:{self.column}"


class Message(NamedTuple):
    """One side of an exchange: first line, header fields, body.

    :ivar body: text, or base64 when `encoding` says so; None without one
    :ivar truncated: `body` is not all there was: it was over 16 MiB, or nothing could be redacted in it
    """

    line: str
    headers: Tuple[Tuple[str, str], ...]
    body: Optional[str] = None
    encoding: Optional[str] = None
    truncated: bool = False

    def header(self, name: str) -> Optional[str]:
        """A header field, any letter case: its lines joined by commas, of ``Set-Cookie`` the first."""
        lines = [value for key, value in self.headers if key.lower() == name.lower()]
        if name.lower() == "set-cookie":
            del lines[1:]
        return ", ".join(lines) if lines else None

    @property
    def content(self) -> bytes:
        """The bytes of the body."""
        body = self.body or ""
        return base64.b64decode(body) if self.encoding == "base64" else body.encode("utf-8")

    def json(self) -> Any:
        """The body as JSON.

        :raises ValueError: when it is none
        """
        return json.loads(self.content)


class Request(Message):
    """What was sent."""


class Response(Message):
    """What came back."""

    #: HTTP status or gRPC code; None when the protocol has none.
    status: Optional[int] = None


class Exchange(NamedTuple):
    """One request and its response; for a WebSocket, the handshake or the frames.

    :ivar phases: milliseconds by name: `dns`, `connect`, `tls`, `ttfb`, `transfer`
    """

    name: str
    status: Optional[int]
    duration_ms: float
    phases: Mapping[str, float]
    request: Optional[Request] = None
    response: Optional[Response] = None
    failure: Optional[Failure] = None


class Check(NamedTuple):
    """One extraction, assertion or condition of a poll, in the order they ran.

    :ivar kind: `extract`, `assert` or `until`
    :ivar name: the variable, or the 0-based index of the assertion
    """

    kind: str
    name: str
    failure: Optional[Failure] = None


class Attempt(NamedTuple):
    """One try of a step.

    :ivar checks: what had to hold for a poll to end with this round
    """

    outcome: str
    exchanges: Tuple[Exchange, ...]
    failure: Optional[Failure] = None
    backoff_ms: Optional[float] = None
    checks: Tuple[Check, ...] = ()

    @property
    def status(self) -> Optional[int]:
        """HTTP status or gRPC code of the last exchange."""
        return self.exchanges[-1].status if self.exchanges else None

    @property
    def request(self) -> Optional[Request]:
        """What was sent last."""
        return self.exchanges[-1].request if self.exchanges else None

    @property
    def response(self) -> Optional[Response]:
        """What came back last."""
        return self.exchanges[-1].response if self.exchanges else None

    @property
    def latency_ms(self) -> Optional[float]:
        """From the send to the last byte; None when nothing was sent."""
        if not self.exchanges:
            return None
        last = self.exchanges[-1]
        if "ttfb" in last.phases:
            return last.phases["ttfb"] + last.phases.get("transfer", 0.0)
        return last.duration_ms


class StepResult(NamedTuple):
    """What one step came to.

    :ivar outcome: `passed`, `throttled` or `failed`
    :ivar throttle_is_error: a throttle that counts as a failure
    :ivar checks: those of the last response; of a poll its conditions come first
    """

    id: str
    kind: str
    outcome: str
    throttle_is_error: bool
    duration_ms: float
    attempts: Tuple[Attempt, ...]
    checks: Tuple[Check, ...]
    failure: Optional[Failure] = None

    @property
    def request(self) -> Optional[Request]:
        """Of the last attempt."""
        return self.attempts[-1].request if self.attempts else None

    @property
    def response(self) -> Optional[Response]:
        """Of the last attempt."""
        return self.attempts[-1].response if self.attempts else None

    @property
    def failures(self) -> Tuple[Failure, ...]:
        """The step's own, and those of its checks."""
        own = self.failure
        # Of the check that the step failed by, its own failure says more.
        said = own.message if own else ""
        found = (check.failure for check in self.checks)
        others = [each for each in found if each and not said.endswith(each.message)]
        return (own, *others) if own else tuple(others)


class Iteration(NamedTuple):
    """One pass of the flow.

    :ivar row: 0-based fixture row, None without a fixture
    :ivar outcome: `passed`, `throttled` or `failed`
    :ivar values: what was drawn for it, as text by name
    """

    number: int
    row: Optional[int]
    outcome: str
    duration_ms: float
    trace_id: str
    steps: Tuple[StepResult, ...]
    values: Mapping[str, str] = {}

    @property
    def passed(self) -> bool:
        """Neither failed nor throttled."""
        return self.outcome == "passed"

    @property
    def failed(self) -> bool:
        """A step failed, or was throttled where that counts as a failure."""
        return self.outcome == "failed"

    @property
    def throttled(self) -> bool:
        """Some step was throttled."""
        return any(step.outcome == "throttled" for step in self.steps)

    def step(self, id: str) -> StepResult:
        """The result of a step.

        :raises KeyError: when it was not reached
        """
        return {each.id: each for each in self.steps}[id]

    def describe(self) -> str:
        """What did not pass, for a person; empty when everything did."""
        row = "" if self.row is None else f" (row {self.row + 1})"
        lines: List[str] = []
        for step in self.steps:
            if step.outcome != "passed":
                lines.append(f"step `{step.id}` {step.outcome}{row}")
                lines.extend(line for each in step.failures for line in failure_lines(each))
                lines.extend(_exchange_lines(step))
        return "\n".join(lines)


def iteration_of(message: Mapping[str, Any]) -> Iteration:
    """An iteration from the trace of it."""
    below: Dict[Optional[str], List[Mapping[str, Any]]] = {}
    for span in message["spans"]:
        below.setdefault(span.get("parent_id"), []).append(span)
    steps = tuple(_step(span, below) for span in below.get(None, []))
    values = {each["name"]: each["value"] for each in message.get("values", ())}
    more = {"number": message["iteration"], "duration_ms": _ms(message), "values": values}
    iteration: Iteration = record_of(Iteration, message, steps=steps, **more)
    return iteration


def _ms(span: Mapping[str, Any]) -> float:
    ms: float = span["duration_us"] / 1_000
    return ms


_Below = Mapping[Optional[str], Sequence[Mapping[str, Any]]]


def _step(span: Mapping[str, Any], below: _Below) -> StepResult:
    id, attributes = span["name"], span.get("attributes", {})
    children = below.get(span["span_id"], ())
    attempts = tuple(_attempts(span, children, below))
    last = attempts[-1].checks if attempts else ()
    step: StepResult = record_of(
        StepResult,
        {"kind": "", "throttle_is_error": False, **attributes, "outcome": span["outcome"]},
        id=id,
        duration_ms=_ms(span),
        attempts=attempts,
        checks=last + _checks(children),
        failure=failure_of(span.get("failure")),
    )
    return step


_CHECKS = ("extract", "assert", "until")
_EXCHANGES = ("call", "frames")


def _checks(spans: Sequence[Mapping[str, Any]]) -> Tuple[Check, ...]:
    return tuple(
        Check(each["kind"], each["label"], failure_of(each.get("failure")))
        for each in spans
        if each["kind"] in _CHECKS
    )


def _exchanges(spans: Sequence[Mapping[str, Any]], below: _Below) -> Tuple[Exchange, ...]:
    return tuple(_exchange(each, below) for each in spans if each["kind"] in _EXCHANGES)


def _attempts(
    step: Mapping[str, Any], children: Sequence[Mapping[str, Any]], below: _Below
) -> Iterator[Attempt]:
    spans = [each for each in children if each["kind"] == "attempt"]
    backoffs = [_ms(each) for each in children if each["kind"] == "backoff"]
    for index, span in enumerate(spans):
        backoff = backoffs[index] if index < len(backoffs) else None
        inside = below.get(span["span_id"], ())
        failure = failure_of(span.get("failure"))
        exchanges = _exchanges(inside, below)
        yield Attempt(span["outcome"], exchanges, failure, backoff, _checks(inside))
    if not spans:
        # A step without a retry policy has its one attempt below itself.
        exchanges = _exchanges(children, below)
        if exchanges:
            yield Attempt(step["outcome"], exchanges, failure_of(step.get("failure")))


def _exchange(span: Mapping[str, Any], below: _Below) -> Exchange:
    status = span.get("attributes", {}).get("status")
    response = _message(Response, span.get("response"))
    if response is not None:
        response.status = status
    return Exchange(
        span["name"],
        status,
        _ms(span),
        {each["name"]: _ms(each) for each in below.get(span["span_id"], ())},
        _message(Request, span.get("request")),
        response,
        failure_of(span.get("failure")),
    )


def _message(kind: Any, message: Optional[Mapping[str, Any]]) -> Any:
    if message is None:
        return None
    headers = tuple((name, value) for name, value in message["headers"])
    cut = message.get("body_truncated", False) or "body_sha256" in message
    return kind(message["line"], headers, message.get("body"), message.get("body_encoding"), cut)


def failure_of(each: Optional[Mapping[str, Any]]) -> Optional[Failure]:
    """A failure of a message."""
    if each is None:
        return None
    typed = {
        name: record_of(TypedValue, each[name])
        for name in ("expected", "actual")
        if each.get(name) is not None
    }
    failure: Failure = record_of(Failure, each, **typed)
    return failure


def failure_lines(failure: Failure) -> List[str]:
    """A failure for a person."""
    where = f"{failure.location}: " if failure.location else ""
    compared = (("expected:", failure.expected), ("actual:  ", failure.actual))
    values = (f"    {name} {value}" for name, value in compared if value)
    return [f"  {where}{failure.code}: {failure.message}", *values]


#: Characters of a body that are shown.
_SHOWN = 500


def _exchange_lines(step: StepResult) -> List[str]:
    """What was sent and what came back: first lines and bodies, a body of bytes by its length."""
    lines: List[str] = []
    for each in (step.request, step.response):
        if each is None:
            continue
        lines.append(f"  {each.line}")
        if each.body and each.encoding:
            lines.append(f"  ({len(each.content)} bytes)")
        elif each.body:
            lines.append(f"  {each.body[:_SHOWN]}")
    return lines
