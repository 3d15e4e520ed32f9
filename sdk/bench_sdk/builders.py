"""Builders of the blocks a flow is made of. What they return is a mapping."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional, Sequence, Union

from .blocks import Block, Duration, FilePath, built, digits, plain, was_given
from .sites import call_site, checked
from .words import Backoff, Distribution, FixtureFormat, Mode, OnExhausted

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


#: What a variable has where the response has nothing.
Default = Union[str, int, float, bool]


class Retry(Block):
    """A retry policy; made by `retry()`."""


class Throttle(Block):
    """What counts as a throttle; made by `throttle()`."""


class Profile(Block):
    """How a flow is run; made by `profile()`."""


class Ramp(Block):
    """A number of VUs that changes; made by `ramp()`."""


class Stage(Block):
    """A part of a load that rises and falls; made by `stage()`."""


class Pool(Block):
    """A named pool of fixture rows; made by `pool()`."""


class Between(Block):
    """How long a step waits; made by `between()`."""


class Extraction(Block):
    """Where a variable is taken from; made by `from_header()`, `from_css()` and their like."""


@checked
def retry(
    on_status: Sequence[int],
    backoff: Backoff,
    max_attempts: int,
    base_delay: Optional[Duration] = None,
) -> Retry:
    """When a step is tried again, and how long it waits.

    :param on_status: statuses that are retried, each 100 to 599
    :param backoff: `fixed`, `exponential` or `honor_retry_after`
    :param max_attempts: tries in all, the first included; at least 1
    :param base_delay: wait before the second try; 100ms when None
    """
    return built(Retry, locals())


@checked
def throttle(
    statuses: Optional[Sequence[int]] = None, as_error: Optional[bool] = None
) -> Throttle:
    """What counts as rate limiting besides 429, and whether it is a failure."""
    return built(Throttle, locals())


@checked
def ramp(start: int, end: int, over: Duration, hold: Optional[Duration] = None) -> Ramp:
    """`vus` that change from `start` to `end` over a duration, then hold."""
    vus = Ramp(ramp=f"{digits(start)} -> {digits(end)} over {plain(over, 'over')}")
    if was_given(hold):
        vus["hold"] = hold
    vus.site, vus.origins = call_site(), {"/hold": "hold"}
    return vus


@checked
def stage(
    *, vus: Optional[int] = None, arrival: Optional[str] = None, over: Duration
) -> Stage:
    """A stage of a load: linearly from the last level to its own; without a level it holds the last one.

    :param vus: virtual users at its end
    :param arrival: offered request rate at its end, such as `200/s` or `0/s`
    :param over: how long it takes; `0s` jumps
    """
    return built(Stage, locals())


@checked
def profile(
    mode: Mode = "integration",
    *,
    vus: Union[int, Mapping[str, Any], None] = None,
    hold: Optional[Duration] = None,
    iterations: Optional[int] = None,
    arrival_cap: Optional[str] = None,
    stages: Optional[Sequence[Stage]] = None,
    warm_up: Optional[Duration] = None,
    thresholds: Optional[Sequence[str]] = None,
) -> Profile:
    """How a flow is run.

    :param mode: `integration`, `system`, `load`, `stress` or `soak`
    :param vus: a number, or `ramp(...)`
    :param arrival_cap: offered request rate, such as `50/s`
    :param stages: load that rises and falls, of `stage(...)` each; in place of a ramp, `hold` and `arrival_cap`
    :param warm_up: how long what begins counts in no figure; a part of the run, its beginning
    :param thresholds: rules the run is judged by, such as `p95(latency) < 300ms`
    """
    return built(Profile, locals())


@checked
def pool(
    name: str,
    path: FilePath,
    *,
    format: Optional[FixtureFormat] = None,
    distribution: Optional[Distribution] = None,
    on_exhausted: Optional[OnExhausted] = None,
) -> Pool:
    """A named pool of fixture rows, read as `{{ <name>.<column> }}`.

    :param format: `csv` or `json`; by the path's ending when None
    :param distribution: `unique-per-vu` (default), `round-robin` or `random`
    :param on_exhausted: `fail` (default), `cycle` or `stop`
    """
    return built(Pool, locals())


@checked
def from_path(
    path: str, *, pattern: Optional[str] = None, group: Optional[int] = None, default: Optional[Default] = None
) -> Extraction:
    """A variable taken from the JSON of a response: a path, and what the path alone cannot say.

    :param pattern: a regular expression; the part of the text that it matches is taken
    :param group: of the pattern; 1 when None, or the whole match (0) when it has no groups
    :param default: the value where the response has none
    """
    return built(Extraction, {"from": path, "pattern": pattern, "group": group, "default": default})


@checked
def from_body(pattern: str, *, group: Optional[int] = None, default: Optional[Default] = None) -> Extraction:
    """A variable taken from the text of a response: what a pattern matches in it."""
    return built(Extraction, {"from": "body", "pattern": pattern, "group": group, "default": default})


@checked
def from_css(
    css: str,
    *,
    attribute: Optional[str] = None,
    pattern: Optional[str] = None,
    group: Optional[int] = None,
    default: Optional[Default] = None,
) -> Extraction:
    """A variable taken from a page: an attribute, or the text, of the first element a selector matches."""
    return built(Extraction, locals())


@checked
def between(least: Duration, most: Duration) -> Between:
    """A pause that is drawn for each iteration, each length as likely as the others."""
    pause = Between(between=f"{plain(least, 'least')}..{plain(most, 'most')}")
    pause.site, pause.origins = call_site(), {"/between": "least"}
    return pause


def literal(text: str) -> str:
    """A text that is sent as it is, for a part of one that has templates: its braces begin none."""
    written = text.replace("{{", "{{ '{{' }}")
    # A template may follow.
    return re.sub(r"\{$", "{{ '{' }}", written)


@checked
def from_header(
    name: str, *, pattern: Optional[str] = None, group: Optional[int] = None, default: Optional[Default] = None
) -> Extraction:
    """A variable taken from a header field of the response, any letter case."""
    return built(Extraction, {"from": f"header.{name}", "pattern": pattern, "group": group, "default": default})


@checked
def from_cookie(
    name: str, *, pattern: Optional[str] = None, group: Optional[int] = None, default: Optional[Default] = None
) -> Extraction:
    """A variable taken from a cookie that the response sets."""
    return built(Extraction, {"from": f"cookie.{name}", "pattern": pattern, "group": group, "default": default})


@checked
def from_status(*, default: Optional[Default] = None) -> Extraction:
    """A variable taken from the status of the response."""
    return built(Extraction, {"from": "status", "default": default})
