"""What a run came to, typed. Everything in it is redacted."""

from __future__ import annotations

import base64
import json
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .errors import RunFailure


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
    """

    line: str
    headers: Tuple[Tuple[str, str], ...]
    body: Optional[str] = None
    encoding: Optional[str] = None

    def header(self, name: str) -> Optional[str]:
        """The first value of a header field, any letter case."""
        found = (value for key, value in self.headers if key.lower() == name.lower())
        return next(found, None)

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


class Attempt(NamedTuple):
    """One try of a step."""

    outcome: str
    exchanges: Tuple[Exchange, ...]
    failure: Optional[Failure] = None
    backoff_ms: Optional[float] = None

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


class Check(NamedTuple):
    """One extraction or assertion, in the order they ran.

    :ivar kind: `extract` or `assert`
    :ivar name: the variable, or the 0-based index of the assertion
    """

    kind: str
    name: str
    failure: Optional[Failure] = None


class StepResult(NamedTuple):
    """What one step came to.

    :ivar outcome: `passed`, `throttled` or `failed`
    :ivar throttle_is_error: a throttle that counts as a failure
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
        every = [self.failure, *(check.failure for check in self.checks)]
        return tuple(dict.fromkeys(each for each in every if each is not None))


class Iteration(NamedTuple):
    """One pass of the flow.

    :ivar row: 0-based fixture row, None without a fixture
    :ivar outcome: `passed`, `throttled` or `failed`
    """

    number: int
    row: Optional[int]
    outcome: str
    duration_ms: float
    trace_id: str
    steps: Tuple[StepResult, ...]

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
        for each in self.steps:
            if each.id == id:
                return each
        raise KeyError(id)

    def describe(self) -> str:
        """What did not pass, for a person; empty when everything did."""
        row = "" if self.row is None else f" (row {self.row})"
        lines: List[str] = []
        for step in self.steps:
            if step.outcome != "passed":
                lines.append(f"step `{step.id}` {step.outcome}{row}")
                lines.extend(line for each in step.failures for line in _failure_lines(each))
                lines.extend(_exchange_lines(step))
        return "\n".join(lines)


class Progress(NamedTuple):
    """How far a run is.

    :ivar share: of the planned time or iterations, 0 to 1; None when neither is known
    :ivar requests_per_second: in the last whole second; None until there is one
    """

    elapsed_ms: float
    share: Optional[float]
    iterations: Mapping[str, int]
    requests: int
    requests_per_second: Optional[float]
    p95_ms: float
    vus: int


class ThresholdResult(NamedTuple):
    """One threshold and its verdict; `actual` in milliseconds for latencies."""

    expression: str
    actual: Optional[float]
    passed: bool
    samples: int


class Totals(NamedTuple):
    """Iterations and requests of a run. A failed iteration may be throttled too."""

    started: int
    completed: int
    passed: int
    failed: int
    throttled: int
    requests: int


class StepTotals(NamedTuple):
    """One step over the whole run; latencies in milliseconds."""

    id: str
    kind: str
    executions: int
    requests: int
    passed: int
    throttled: int
    failed: int
    latency: Mapping[str, float]


class FailureGroup(NamedTuple):
    """Failures, or throttles, with the same cause."""

    step: str
    outcome: str
    count: int
    failure: Failure
    row: Optional[int] = None


class RunResult:
    """A run that ended.

    :ivar iterations: one by one, in integration and system modes
    :ivar directory: the run directory; None when nothing was stored
    :ivar summary: what `bench run` prints
    :ivar meta: the whole of `meta.json`
    """

    def __init__(self, message: Mapping[str, Any], iterations: Sequence[Iteration]) -> None:
        meta: Dict[str, Any] = message["meta"]
        self.meta = meta
        self.iterations: Tuple[Iteration, ...] = tuple(iterations)
        self.directory: Optional[str] = message.get("directory")
        self.summary: str = message["summary"]
        self.id: str = meta["id"]
        self.flow: str = meta["flow"]
        self.target: str = meta["target"]
        self.mode: str = meta["mode"]
        self.status: str = meta["status"]
        self.verdict: str = meta.get("verdict") or "fail"
        self.exit_code: int = 3 if meta.get("exit_code") is None else meta["exit_code"]
        self.abort_reason: Optional[str] = meta.get("abort_reason")
        self.duration_ms: float = meta["duration_ms"]
        self.requests: int = meta["requests"]
        self.error_rate: float = meta["error_rate"]
        self.throttle_rate: float = meta["throttle_rate"]
        self.latency: Mapping[str, float] = meta["latency"]
        self.notes: Tuple[str, ...] = tuple(meta["notes"])
        self.totals = Totals(**meta["iterations"], requests=meta["requests"])
        self.thresholds = tuple(
            ThresholdResult(each["expression"], each["actual"], each["pass"], each["samples"])
            for each in meta["thresholds"]
        )
        self.steps = tuple(
            StepTotals(**{name: each[name] for name in StepTotals._fields}) for each in meta["steps"]
        )
        self.failures = tuple(_group(each) for each in meta["failures"])

    @property
    def passed(self) -> bool:
        """Every threshold held, nothing else failed the run, and it was not interrupted."""
        return self.verdict == "pass" and self.exit_code == 0

    @property
    def interrupted(self) -> bool:
        """It was stopped before its end; the results are those until then."""
        return self.status == "interrupted"

    def describe(self) -> str:
        """What did not pass, for a person; empty when everything did."""
        parts = [each.describe() for each in self.iterations if not each.passed]
        if not self.iterations:
            parts += [_group_text(each) for each in self.failures]
        if not any(not each.passed for each in self.iterations):
            parts += [
                f"threshold {each.expression} was breached: {each.actual}"
                for each in self.thresholds
                if not each.passed
            ]
        if self.status != "finished":
            parts.append(f"{self.status}: {self.abort_reason or 'the run was stopped'}")
        return "\n".join(part for part in parts if part)

    def raise_for_failure(self) -> RunResult:
        """Returns the result itself when the run passed.

        :raises RunFailure: that says what did not
        """
        if self.passed:
            return self
        raise RunFailure(f"flow `{self.flow}` did not pass\n{self.describe()}", self)

    def __repr__(self) -> str:
        return f"<RunResult {self.flow} {self.verdict} {self.totals}>"


def iteration_of(message: Mapping[str, Any]) -> Iteration:
    """An iteration from the trace of it."""
    below: Dict[Optional[str], List[Mapping[str, Any]]] = {}
    for span in message["spans"]:
        below.setdefault(span.get("parent_id"), []).append(span)
    return Iteration(
        message["iteration"],
        message.get("row"),
        message["outcome"],
        message["duration_us"] / 1_000,
        message["trace_id"],
        tuple(_step(span, below) for span in below.get(None, [])),
    )


_Below = Mapping[Optional[str], Sequence[Mapping[str, Any]]]


def _step(span: Mapping[str, Any], below: _Below) -> StepResult:
    id, attributes = span["name"], span.get("attributes", {})
    children = below.get(span["span_id"], ())
    prefixes = {f"{id}.{kind}@": kind for kind in ("extract", "assert")}
    checks = tuple(
        Check(kind, each["name"][len(prefix) :], _failure(each))
        for each in children
        for prefix, kind in prefixes.items()
        if each["name"].startswith(prefix)
    )
    return StepResult(
        id,
        attributes.get("kind", ""),
        span["outcome"],
        attributes.get("throttle_is_error", False),
        span["duration_us"] / 1_000,
        tuple(_attempts(span, children, below)),
        checks,
        _failure(span),
    )


def _attempts(
    step: Mapping[str, Any], children: Sequence[Mapping[str, Any]], below: _Below
) -> Iterator[Attempt]:
    spans = [each for each in children if each["name"].startswith("attempt ")]
    backoffs = [each["duration_us"] / 1_000 for each in children if each["name"] == "backoff"]
    for index, span in enumerate(spans):
        backoff = backoffs[index] if index < len(backoffs) else None
        exchanges = tuple(_exchange(each, below) for each in below.get(span["span_id"], ()))
        yield Attempt(span["outcome"], exchanges, _failure(span), backoff)
    if not spans:
        # A step without a retry policy has its one attempt below itself.
        exchanges = tuple(_exchange(each, below) for each in children if "@" not in each["name"])
        if exchanges:
            yield Attempt(step["outcome"], exchanges, _failure(step))


def _exchange(span: Mapping[str, Any], below: _Below) -> Exchange:
    status = span.get("attributes", {}).get("status")
    response = _message(Response, span.get("response"))
    if response is not None:
        response.status = status
    return Exchange(
        span["name"],
        status,
        span["duration_us"] / 1_000,
        {each["name"]: each["duration_us"] / 1_000 for each in below.get(span["span_id"], ())},
        _message(Request, span.get("request")),
        response,
        _failure(span),
    )


def _message(kind: Any, message: Optional[Mapping[str, Any]]) -> Any:
    if message is None:
        return None
    headers = tuple((name, value) for name, value in message["headers"])
    return kind(message["line"], headers, message.get("body"), message.get("body_encoding"))


def _failure(span: Mapping[str, Any]) -> Optional[Failure]:
    failure = span.get("failure")
    return None if failure is None else _failure_of(failure)


def _failure_of(each: Mapping[str, Any]) -> Failure:
    typed = (None if each.get(name) is None else TypedValue(**each[name]) for name in ("expected", "actual"))
    return Failure(
        each["code"], each["message"], each.get("file"), each.get("line"), each.get("column"), *typed
    )


def _group(each: Mapping[str, Any]) -> FailureGroup:
    return FailureGroup(
        each["step"], each["outcome"], each["count"], _failure_of(each), each.get("row")
    )


def _group_text(group: FailureGroup) -> str:
    first = f"step `{group.step}` {group.outcome} {group.count} times"
    return "\n".join([first, *_failure_lines(group.failure)])


def _failure_lines(failure: Failure) -> List[str]:
    place = f"{failure.location}: " if failure.location else ""
    lines = [f"  {place}{failure.code}: {failure.message}"]
    if failure.expected:
        lines.append(f"    expected: {failure.expected}")
    if failure.actual:
        lines.append(f"    actual:   {failure.actual}")
    return lines


#: Characters of a response's body that are shown.
_SHOWN = 500


def _exchange_lines(step: StepResult) -> List[str]:
    lines = [f"  {each.line}" for each in (step.request, step.response) if each is not None]
    body = step.response.body if step.response else None
    return [*lines, f"  {body[:_SHOWN]}"] if body else lines
