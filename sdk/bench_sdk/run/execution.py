"""What `Flow.execute()` returns. Everything in it is redacted."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Tuple

from ..expr.typed_value import TypedValue


class Failure(NamedTuple):
    """Why a step failed: codes and words of the engine.

    :ivar pointer: JSON Pointer into the IR of the part that failed
    """

    code: str
    message: str
    pointer: Optional[str] = None
    expected: Optional[TypedValue] = None
    actual: Optional[TypedValue] = None


class Message(NamedTuple):
    """One side of an exchange: first line, header fields, body as text or base64."""

    line: str
    headers: Tuple[Tuple[str, str], ...]
    body: Optional[str] = None
    body_encoding: Optional[str] = None


class Check(NamedTuple):
    """One extraction or assertion, in the order they ran."""

    kind: str
    name: str
    failure: Optional[Failure] = None


class Attempt(NamedTuple):
    """One try of a step. Times in milliseconds."""

    outcome: str
    status: Optional[int]
    latency_ms: float
    request: Optional[Message]
    response: Optional[Message]
    failure: Optional[Failure] = None
    backoff_ms: Optional[float] = None


class StepResult(NamedTuple):
    """What one step came to: `passed`, `throttled` or `failed`."""

    id: str
    outcome: str
    throttle_is_error: bool
    attempts: Tuple[Attempt, ...]
    checks: Tuple[Check, ...]
    failure: Optional[Failure] = None


class Iteration(NamedTuple):
    """One pass of the flow.

    :ivar row: 0-based fixture row, None without a fixture
    """

    row: Optional[int]
    failed: bool
    throttled: bool
    steps: Tuple[StepResult, ...]

    @property
    def passed(self) -> bool:
        """Neither failed nor throttled."""
        return not self.failed and not self.throttled

    def step(self, id: str) -> StepResult:
        """The result of a step.

        :raises KeyError: when it was not reached
        """
        for each in self.steps:
            if each.id == id:
                return each
        raise KeyError(id)

    def describe(self) -> str:
        """What went wrong, for a person; empty when nothing did."""
        lines: List[str] = []
        for step in self.steps:
            if step.outcome == "passed":
                continue
            row = "" if self.row is None else f" (row {self.row})"
            lines.append(f"step `{step.id}` {step.outcome}{row}")
            lines.extend(_failure_lines(step))
        return "\n".join(lines)


class Execution(NamedTuple):
    """What an execution came to.

    :ivar abort_reason: why it ended early (`abort_run`), None when it did not
    :ivar notes: what a reader of the result should know besides
    """

    flow: str
    iterations: Tuple[Iteration, ...]
    abort_reason: Optional[str] = None
    notes: Tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """No iteration failed and the run was not aborted."""
        failed = any(each.failed for each in self.iterations)
        return not failed and self.abort_reason is None

    def describe(self) -> str:
        """What went wrong in every iteration, for a person."""
        parts = [each.describe() for each in self.iterations if not each.passed]
        return "\n".join([*parts, *([self.abort_reason] if self.abort_reason else [])])


def _failure_lines(step: StepResult) -> List[str]:
    failures = [step.failure] if step.failure else []
    failures += [each.failure for each in step.checks if each.failure and each.failure != step.failure]
    lines: List[str] = []
    for failure in failures:
        lines.append(f"  {failure.code}: {failure.message}")
        if failure.expected:
            lines.append(f"    expected: {_typed(failure.expected)}")
        if failure.actual:
            lines.append(f"    actual:   {_typed(failure.actual)}")
    last = step.attempts[-1] if step.attempts else None
    if last and last.request:
        lines.append(f"  {last.request.line}")
    if last and last.response:
        lines.append(f"  {last.response.line}")
        if last.response.body:
            lines.append(f"  {last.response.body[:500]}")
    return lines


def _typed(value: TypedValue) -> str:
    text = value.type if value.text == "" else f"{value.type} <{value.text}>"
    return text if value.operator is None else f"{value.operator} {text}"
