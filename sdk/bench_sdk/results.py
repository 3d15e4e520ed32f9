"""What a run came to, typed. Everything in it is redacted."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .errors import RunFailure
from .html import heading, lines, table
from .iteration import Failure, Iteration, failure_lines, failure_of, record_of

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


class Progress(NamedTuple):
    """How far a run is.

    :ivar elapsed_ms: since the load began, a warm-up included
    :ivar share: of the planned time or iterations, 0 to 1; None when neither is known
    :ivar requests_per_second: in the last whole second; None until there is one
    :ivar p95_ms: likewise; None without a sample too
    :ivar warm_up: it is still in its warm-up, which is in no figure
    """

    elapsed_ms: float
    share: Optional[float]
    iterations: Mapping[str, int]
    requests: int
    requests_per_second: Optional[float]
    p95_ms: Optional[float]
    vus: int
    warm_up: bool = False


class ThresholdResult(NamedTuple):
    """One threshold and its verdict.

    :ivar actual: milliseconds, a share or bytes a second; None without a sample
    :ivar metric: `latency`, `error_rate`, `throttle_rate` or `bytes_per_second`
    """

    expression: str
    actual: Optional[float]
    passed: bool
    samples: int
    metric: str = ""

    @property
    def shown(self) -> str:
        """`actual` with its unit."""
        if self.actual is None:
            return "no sample"
        if self.metric == "latency":
            return f"{self.actual:.4g}ms"
        if self.metric == "bytes_per_second":
            return f"{self.actual / 1000:.4g} kB/s"
        return f"{self.actual * 100:.4g}%"


class Totals(NamedTuple):
    """Iterations and requests of a run. A failed iteration may be throttled too."""

    started: int
    completed: int
    passed: int
    failed: int
    throttled: int
    requests: int


class FlowTotals(NamedTuple):
    """One flow of a mix over the whole run.

    :ivar iterations: `completed`, `passed`, `failed` and `throttled`
    :ivar iteration_time: milliseconds by name, such as `p95`; None without an iteration
    :ivar latency: the same of its steps
    """

    name: str
    weight: int
    iterations: Mapping[str, int]
    error_rate: float
    throttle_rate: float
    iteration_time: Mapping[str, Optional[float]]
    latency: Mapping[str, Optional[float]]


class StepTotals(NamedTuple):
    """One step over the whole run; latencies in milliseconds, None without a sample."""

    id: str
    kind: str
    executions: int
    requests: int
    passed: int
    throttled: int
    failed: int
    latency: Mapping[str, Optional[float]]


class FailureGroup(NamedTuple):
    """Failures, or throttles, with the same cause."""

    step: str
    outcome: str
    times: int
    failure: Failure
    row: Optional[int] = None
    #: The first lines of the request and the response of one of them, and the beginning of its `body`.
    exchange: Optional[Mapping[str, str]] = None


class OnceStep(NamedTuple):
    """A step of `setup` or `teardown`; its outcome is None when it was not begun."""

    id: str
    kind: str
    outcome: Optional[str]
    duration_ms: float


class OnceResult(NamedTuple):
    """The steps of a run that were carried out once.

    :ivar outcome: `passed`, `throttled`, `failed` or `interrupted`
    """

    outcome: str
    duration_ms: float
    requests: int
    steps: Tuple[OnceStep, ...]
    failures: Tuple[FailureGroup, ...]


def _warm_up(counted: Optional[Mapping[str, Any]]) -> Optional[Totals]:
    if counted is None:
        return None
    return Totals(**counted["iterations"], requests=counted["requests"])


class RunResult:
    """A run that ended.

    :ivar iterations: one by one, in integration and system modes
    :ivar directory: the run directory; None when nothing was stored
    :ivar summary: what `bench run` prints
    :ivar latency: milliseconds by name, such as `p95`; each None without a sample
    :ivar warm_up: the iterations that began in the warm-up, which are in nothing else; None without one
    :ivar flows: of a mix, one each
    :ivar setup: what was carried out before the first iteration; None without one
    :ivar teardown: what was carried out after the last iteration, likewise
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
        self.latency: Mapping[str, Optional[float]] = meta["latency"]
        self.notes: Tuple[str, ...] = tuple(meta["notes"])
        self.totals = Totals(**meta["iterations"], requests=meta["requests"])
        self.warm_up = _warm_up(meta.get("warm_up"))
        self.thresholds = tuple(
            record_of(ThresholdResult, each, passed=each["pass"]) for each in meta["thresholds"]
        )
        self.steps = tuple(record_of(StepTotals, each) for each in meta["steps"])
        self.failures = _groups(meta["failures"])
        self.flows = tuple(record_of(FlowTotals, each) for each in meta.get("flows", ()))
        self.setup = _once(meta.get("setup"))
        self.teardown = _once(meta.get("teardown"))

    def __fspath__(self) -> str:
        """The run directory, so that a result will do where a run is named: `compare(result, [base])`.

        :raises ValueError: when nothing was stored
        """
        if self.directory is None:
            raise ValueError("this run is not stored: `flow.run()` stores one, `flow.execute()` does not")
        return self.directory

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
        parts += [
            "\n".join([_group_text(each), *_exchange_lines(each)])
            for once in (self.setup, self.teardown)
            if once
            for each in once.failures
        ]
        if not parts:
            parts += [_group_text(each) for each in self.failures]
            parts += _violations(self.meta.get("contract"))
            parts += [
                f"threshold {each.expression} was breached: {each.shown}"
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
        # Of a load run no iteration is there to be shown.
        more = "" if self.mode in ("integration", "system") else f"\n\n{self.summary}"
        raise RunFailure(f"flow `{self.flow}` did not pass\n{self.describe()}{more}", self)

    def __repr__(self) -> str:
        return f"<RunResult {self.flow} {self.verdict} {self.totals}>"

    def _repr_html_(self) -> str:
        steps = (
            (each.id, each.requests, each.passed, each.throttled, each.failed, *map(_ms, _latencies(each)))
            for each in self.steps
        )
        thresholds = (("held" if each.passed else "breached", each.expression, each.shown) for each in self.thresholds)
        return "".join(
            (
                heading(f"{self.flow}: {self.verdict if self.status == 'finished' else self.status}, target {self.target}"),
                table(("step", "requests", "passed", "throttled", "failed", "p50", "p95"), steps),
                table(("", "threshold", "actual"), thresholds),
                lines(self.describe()),
            )
        )


def _latencies(step: StepTotals) -> Tuple[Optional[float], ...]:
    return step.latency.get("p50"), step.latency.get("p95")


def _ms(value: Optional[float]) -> Optional[str]:
    return None if value is None else f"{value:.4g}ms"


def _groups(failures: Sequence[Mapping[str, Any]]) -> Tuple[FailureGroup, ...]:
    return tuple(
        record_of(FailureGroup, each, times=each["count"], failure=failure_of(each))
        for each in failures
    )


def _once(written: Optional[Mapping[str, Any]]) -> Optional[OnceResult]:
    if written is None:
        return None
    steps = tuple(record_of(OnceStep, each) for each in written["steps"])
    result: OnceResult = record_of(
        OnceResult, written, steps=steps, failures=_groups(written["failures"])
    )
    return result


def _group_text(group: FailureGroup) -> str:
    times = "" if group.times == 1 else f" {group.times} times"
    return "\n".join([f"step `{group.step}` {group.outcome}{times}", *failure_lines(group.failure)])


def _exchange_lines(group: FailureGroup) -> List[str]:
    return [f"  {line}" for part in (group.exchange or {}).values() for line in part.split("\n")]


def _violations(contract: Optional[Mapping[str, Any]]) -> List[str]:
    """How the responses of a run that fails by its contract are not as described."""
    if contract is None or contract["contract"] != "fail":
        return []
    return [
        f"{each['operation']} {each['status']}: {each['message']} ({each['count']} responses)"
        for each in contract["violations"]
    ]
