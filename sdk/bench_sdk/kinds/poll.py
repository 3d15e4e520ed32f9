"""`poll`: a request repeated until assertions hold."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from ..errors import FlowError
from ..expr.assertion import Assertion
from ..read.expressions import read_assertions
from ..read.mapping import Key, read_mapping
from ..read.scalars import read_duration, read_integer
from ..values.json import JsonObject
from .http_block import http_templates, read_http
from .kind import Kind

POLL_KEYS = {
    "call": Key('"METHOD /path", repeated until it answers', True),
    "headers": Key("request headers"),
    "query": Key("URL query parameters"),
    "body": Key("JSON body"),
    "until": Key("assertions that end the poll when all hold", True),
    "interval": Key("wait between two rounds, above 0", True),
    "timeout": Key("gives up after this long"),
    "max_attempts": Key("gives up after this many rounds"),
}
_POSITIVE = (1, "greater than 0")


def _read(action: Any, fields: Mapping[str, Any]) -> JsonObject:
    parts = read_mapping(action, POLL_KEYS, "`poll`")
    block = read_http(parts["call"], parts)
    block["until"] = read_assertions(parts["until"], "`until`")
    if not block["until"]:
        raise FlowError("poll-until", "`until` needs at least one assertion")
    block["interval_us"] = read_duration(parts["interval"], "`interval`", _POSITIVE)
    if "timeout" in parts:
        block["timeout_us"] = read_duration(parts["timeout"], "`timeout`", _POSITIVE)
    if "max_attempts" in parts:
        block["max_attempts"] = read_integer(parts["max_attempts"], "`max_attempts`", 1)
    if "timeout" not in parts and "max_attempts" not in parts:
        raise FlowError(
            "poll-bound",
            "`poll` needs `timeout` or `max_attempts`, or it could go on for ever",
        )
    return block


def _until(block: Mapping[str, Any]) -> Sequence[Assertion]:
    until: Sequence[Assertion] = block["until"]
    return until


poll = Kind(
    name="poll",
    doc="a request repeated until assertions hold",
    keys=("extract", "assert", "throttle", "auth"),
    requests=True,
    read=_read,
    templates=http_templates,
    assertions=_until,
)
