"""Builders of the blocks a flow is made of.

Each checks what it is given at once, so that a mistake raises at the line that
makes it. What they return is a mapping with the keys of a flow file.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from .keywords import known_keywords
from .read.pools import read_pool
from .read.policy import read_retry, read_throttle
from .read.profile import read_profile

#: A duration: text such as `500ms`, or a `timedelta`.
Duration = Union[str, timedelta]


class Retry(Dict[str, Any]):
    """A retry policy; made by `retry()`."""


class Throttle(Dict[str, Any]):
    """What counts as a throttle; made by `throttle()`."""


class Profile(Dict[str, Any]):
    """How a flow is run; made by `profile()`."""


class Pool(Dict[str, Any]):
    """A named pool of fixture rows; made by `pool()`."""


@known_keywords
def retry(
    on_status: Sequence[int],
    backoff: str,
    max_attempts: int,
    base_delay: Optional[Duration] = None,
) -> Retry:
    """When a step is tried again, and how long it waits.

    :param on_status: statuses that are tried again, each 100 to 599
    :param backoff: `fixed`, `exponential` or `honor_retry_after`
    :param max_attempts: tries in all, the first included; at least 1
    :param base_delay: wait before the second try; 100ms when None
    :raises FlowError: for a value out of its range
    """
    block = Retry(on_status=on_status, backoff=backoff, max_attempts=max_attempts)
    if base_delay is not None:
        block["base_delay"] = base_delay
    read_retry(block)
    return block


@known_keywords
def throttle(
    statuses: Optional[Sequence[int]] = None, as_error: Optional[bool] = None
) -> Throttle:
    """What counts as rate limiting besides 429, and whether it is a failure.

    :raises FlowError: for a value out of its range
    """
    block = Throttle()
    if statuses is not None:
        block["statuses"] = statuses
    if as_error is not None:
        block["as_error"] = as_error
    read_throttle(block)
    return block


@known_keywords
def ramp(start: int, end: int, over: str, hold: Optional[Duration] = None) -> Dict[str, Any]:
    """`vus` that change from `start` to `end` over a duration, then hold."""
    vus: Dict[str, Any] = {"ramp": f"{start} -> {end} over {over}"}
    if hold is not None:
        vus["hold"] = hold
    read_profile({"vus": vus})
    return vus


@known_keywords
def profile(
    mode: str = "integration",
    *,
    vus: Union[int, Mapping[str, Any], None] = None,
    hold: Optional[Duration] = None,
    iterations: Optional[int] = None,
    arrival_cap: Optional[str] = None,
    thresholds: Sequence[str] = (),
) -> Profile:
    """How a flow is run.

    :param mode: `integration`, `system`, `load`, `stress` or `soak`
    :param vus: a number, or `ramp(...)`
    :param arrival_cap: offered request rate, such as `50/s`
    :param thresholds: rules the run is judged by, such as `p95(latency) < 300ms`
    :raises FlowError: for the first mistake
    """
    block = Profile(mode=mode)
    given = {"vus": vus, "hold": hold, "iterations": iterations, "arrival_cap": arrival_cap}
    block.update({key: value for key, value in given.items() if value is not None})
    if thresholds != ():
        block["thresholds"] = thresholds
    read_profile(block)
    return block


@known_keywords
def pool(
    name: str,
    path: str,
    *,
    format: Optional[str] = None,
    distribution: str = "unique-per-vu",
    on_exhausted: str = "fail",
) -> Pool:
    """A named pool of fixture rows, read as `{{ <name>.<column> }}`.

    Flow files have one pool, `data`; the IR and so this SDK can have more.

    :param format: `csv` or `json`; by the path's ending when None
    :param distribution: `unique-per-vu`, `round-robin` or `random`
    :param on_exhausted: `fail`, `cycle` or `stop`
    :raises FlowError: for the first mistake
    """
    return Pool(read_pool(name, path, format, distribution, on_exhausted))
