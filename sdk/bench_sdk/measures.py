"""What is measured over time and over several runs: a series, a comparison, a capacity."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, NamedTuple, Optional, Tuple

from .arguments import in_python
from .html import heading, lines, table
from .iteration import record_of


class Change(NamedTuple):
    """By how much the candidate is more: a share of the base, for rates a difference of shares.

    :ivar low: the true one lies between it and `high`
    """

    value: float
    low: float
    high: float


class ComparedFigure(NamedTuple):
    """One figure of runs that are compared.

    :ivar verdict: `better`, `same`, `worse` or `unclear`
    :ivar step: None for the whole run
    :ivar detail: why nothing can be said, or how much longer to measure
    """

    metric: str
    unit: str
    base: Optional[float]
    candidate: Optional[float]
    change: Optional[Change]
    verdict: str
    step: Optional[str]
    detail: Optional[str]


class Comparison:
    """A run against one or more others; `worse` when any figure is.

    :ivar data: the whole of what `bench compare --json` prints, the runs too
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.flow: str = data["flow"]
        self.verdict: str = data["verdict"]
        self.margin: float = data["margin"]
        self.paired: bool = data["paired"]
        self.notes: Tuple[str, ...] = tuple(data["notes"])
        self.figures: Tuple[ComparedFigure, ...] = tuple(
            record_of(ComparedFigure, each, change=each["change"] and Change(**each["change"]))
            for each in data["figures"]
        )

    def figure(self, metric: str, step: Optional[str] = None) -> ComparedFigure:
        """The figure of that name, such as `p95`; of one step, or of the whole run.

        :raises KeyError: when there is none
        """
        for each in self.figures:
            if (each.metric, each.step) == (metric, step):
                return each
        raise KeyError(metric if step is None else f"{step}: {metric}")

    def __repr__(self) -> str:
        return f"<Comparison {self.flow} {self.verdict}>"

    def _repr_html_(self) -> str:
        rows = (
            (
                each.metric if each.step is None else f"{each.step}: {each.metric}",
                _shown(each.base, each.unit),
                _shown(each.candidate, each.unit),
                each.change and _change(each.change, each.unit),
                each.verdict,
            )
            for each in self.figures
        )
        heads = ("figure", "base", "candidate", "change", "verdict")
        return heading(f"{self.flow}: {self.verdict}") + table(heads, rows) + lines("\n".join(self.notes))


_SIGNS = {"ms": "ms", "share": "%", "per_second": "/s"}


def _shown(value: Optional[float], unit: str) -> Optional[str]:
    """A figure with its unit; rates of failures in percent."""
    if value is None:
        return None
    scaled = value * 100 if unit == "share" else value
    return f"{scaled:.4g}{_SIGNS.get(unit, '')}"


def _change(change: Change, unit: str) -> str:
    """The change, and the bounds that the true one lies between."""
    sign = " points" if unit == "share" else "%"
    return f"{change.value * 100:+.3g}{sign} ({change.low * 100:+.3g} to {change.high * 100:+.3g})"


class CapacityTrial(NamedTuple):
    """One load that was tried; latencies in milliseconds, None without a sample.

    :ivar limited: the generator was the limit: it bounds nothing
    :ivar broken: thresholds that did not hold, with what they came out at
    """

    level: float
    duration_ms: float
    held: bool
    limited: bool
    requests_per_second: float
    p50: Optional[float]
    p95: Optional[float]
    error_rate: float
    throttle_rate: float
    broken: Tuple[str, ...]


class Capacity:
    """The highest load at which the thresholds hold.

    :ivar unit: `requests_per_second` or `vus`, of the bounds and levels
    :ivar lower: the highest level that held; None when none did
    :ivar upper: the lowest that did not; None when every level held that could be tried
    :ivar cause: what broke above, or why there is no upper bound
    :ivar directory: of the run at the lower bound
    """

    def __init__(self, data: Mapping[str, Any], directory: str) -> None:
        self.unit: str = data["unit"]
        self.lower: Optional[float] = data["lower"]
        self.upper: Optional[float] = data["upper"]
        self.cause: str = in_python(data["cause"])
        self.least: Optional[float] = data.get("least")
        self.trials = tuple(trial_of(each) for each in data["trials"])
        self.directory = directory

    @property
    def passed(self) -> bool:
        """A level held, one as high as `least` when that was given."""
        return self.lower is not None and self.lower >= (self.least or 0)

    def __repr__(self) -> str:
        return f"<Capacity {self.lower} to {self.upper} {self.unit}>"

    def _repr_html_(self) -> str:
        rows = (
            (
                f"{each.level:.4g}",
                "held" if each.held else "limited" if each.limited else "broke",
                _shown(each.p95, "ms"),
                _shown(each.error_rate, "share"),
                ", ".join(each.broken),
            )
            for each in self.trials
        )
        bounds = f"Capacity: {self.lower} to {self.upper} {self.unit}"
        return heading(bounds) + table((self.unit, "", "p95", "error_rate", "broken"), rows)


def trial_of(each: Mapping[str, Any]) -> CapacityTrial:
    """A trial from the message of it."""
    trial: CapacityTrial = record_of(CapacityTrial, each, broken=tuple(each["broken"]))
    return trial


class Second(NamedTuple):
    """One second of a run; latencies in milliseconds, None without a sample.

    :ivar t: it begins so many seconds after the load, or the warm-up, began
    :ivar started: iterations, as `completed`
    :ivar passed: attempts, as `throttled` and `failed`
    """

    t: float
    vus: int
    started: int
    completed: int
    passed: int
    throttled: int
    failed: int
    bytes_sent: int
    bytes_received: int
    p50: Optional[float]
    p95: Optional[float]
    p99: Optional[float]
    max: Optional[float]


class Series:
    """A stored run second by second.

    :ivar seconds: of the load that is measured
    :ivar warm_up: of the warm-up before it; empty without one
    :ivar data: the whole of `series.json`
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.seconds: Tuple[Second, ...] = _seconds(data["points"])
        self.warm_up: Tuple[Second, ...] = _seconds(data.get("warm_up", ()))

    def __iter__(self) -> Iterator[Second]:
        return iter(self.seconds)

    def __len__(self) -> int:
        return len(self.seconds)

    def __repr__(self) -> str:
        return f"<Series of {len(self)} {'second' if len(self) == 1 else 'seconds'}>"

    def _repr_html_(self) -> str:
        return "".join(
            (
                heading("the warm-up") if self.warm_up else "",
                table(Second._fields, self.warm_up),
                heading("the run, second by second"),
                table(Second._fields, self.seconds),
            )
        )


def _seconds(points: Any) -> Tuple[Second, ...]:
    return tuple(record_of(Second, each) for each in points)
