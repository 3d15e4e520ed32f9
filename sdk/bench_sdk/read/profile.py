"""`profile`: how a flow is run."""

from __future__ import annotations

import re
from typing import Any, Dict, Tuple

from ..errors import FlowError
from ..values.duration import parse_duration
from ..values.json import MAX_SAFE, JsonObject
from ..values.rate import parse_rate
from .expressions import read_thresholds
from .mapping import Key, read_mapping
from .scalars import (
    check_scalar,
    is_scalar,
    read_choice,
    read_duration,
    read_integer,
    read_string,
    scalar_text,
)

MODES = ("integration", "system", "load", "stress", "soak")
PROFILE_KEYS = {
    "mode": Key(", ".join(MODES)),
    "vus": Key("virtual users: a number, or a mapping with `ramp`"),
    "hold": Key("how long the load is held"),
    "iterations": Key("passes of the flow in all"),
    "arrival_cap": Key("offered request rate, such as 50/s"),
    "thresholds": Key("rules the run is judged by"),
}
VUS_KEYS = {
    "ramp": Key('"<from> -> <to> over <duration>"', True),
    "hold": Key("how long the last level is held"),
}
_RAMP = re.compile(r"\s*(\d+)\s*->\s*(\d+)\s+over\s+(\S+)\s*", re.ASCII)


def read_profile(value: Any) -> JsonObject:
    """The IR of a `profile` mapping, defaults filled in."""
    fields = read_mapping(value, PROFILE_KEYS, "`profile`")
    profile: JsonObject = {"mode": "integration"}
    if "mode" in fields:
        profile["mode"] = read_choice(fields["mode"], "`mode`", MODES)
    profile.update(_vus(fields))
    if "hold" in fields:
        profile["hold_us"] = read_duration(fields["hold"], "`hold`")
    if "iterations" in fields:
        profile["iterations"] = read_integer(fields["iterations"], "`iterations`", 1)
    if "arrival_cap" in fields:
        profile["arrival"] = _arrival(fields["arrival_cap"])
    thresholds = read_thresholds(fields.get("thresholds", []))
    if thresholds:
        profile["thresholds"] = thresholds
    _check_bounds(profile)
    return profile


def _vus(fields: Dict[str, Any]) -> JsonObject:
    if "vus" not in fields:
        return {"vus": 1}
    vus = fields["vus"]
    if is_scalar(vus):
        return {"vus": read_integer(vus, "`vus`", 1)}
    parts = read_mapping(vus, VUS_KEYS, "`vus`")
    read: JsonObject = {"vus": _ramp(parts["ramp"])}
    if "hold" in parts and "hold" in fields:
        keys = list(fields)
        where = "inside `vus`" if keys.index("vus") < keys.index("hold") else "in `profile`"
        raise FlowError(
            "hold-twice",
            f"`hold` is set twice: it already stands {where}",
            "keep one of them",
        )
    if "hold" in parts:
        read["hold_us"] = read_duration(parts["hold"], "`hold`")
    return read


def _ramp(value: Any) -> Dict[str, int]:
    text = read_string(value, "`ramp`")
    match = _RAMP.fullmatch(text)
    if not match:
        raise FlowError(
            "bad-ramp",
            f'`ramp` must be "<from> -> <to> over <duration>", but it is "{text}"',
            'for example "1 -> 50 over 30s"',
        )
    levels = (int(match[1]), int(match[2]))
    _check_levels(levels)
    try:
        over_us = parse_duration(match[3])
    except ValueError as error:
        raise FlowError("bad-duration", f"`ramp`: {error}") from None
    if over_us <= 0:
        raise FlowError(
            "out-of-range",
            f"a ramp takes longer than 0, but this one takes {match[3]}",
            "for a constant number write `vus: <number>`",
        )
    return {"from": levels[0], "to": levels[1], "over_us": over_us}


def _check_levels(levels: Tuple[int, int]) -> None:
    if max(levels) > MAX_SAFE:
        raise FlowError("bad-ramp", "a ramp's numbers of VUs must be below 2^53")
    if max(levels) == 0:
        raise FlowError("bad-ramp", "a ramp from 0 to 0 runs nothing")


def _arrival(value: Any) -> Dict[str, int]:
    check_scalar(value, "`arrival_cap` must be a rate, such as 50/s")
    text = "null" if value is None else scalar_text(value)
    try:
        return parse_rate(text)
    except ValueError as error:
        raise FlowError(
            "bad-rate",
            f"`arrival_cap`: {error}",
            f"did you mean {text}/s?" if re.fullmatch("[1-9][0-9]*", text) else None,
        ) from None


def _check_bounds(profile: JsonObject) -> None:
    mode = profile["mode"]
    bounded = "iterations" in profile or profile.get("hold_us") or isinstance(profile["vus"], dict)
    if mode in ("load", "stress", "soak") and not bounded:
        raise FlowError(
            "unbounded-run",
            f"`{mode}` mode needs `iterations` or `hold`: nothing else ends the run",
            "for example `hold: 1m`",
        )
