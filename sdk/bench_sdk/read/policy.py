"""`retry` and `throttle`."""

from __future__ import annotations

import re
from typing import Any, List

from ..errors import FlowError
from ..values.json import JsonObject, describe, is_list
from .mapping import Key, read_mapping
from .scalars import check_scalar, read_boolean, read_choice, read_duration, read_integer
from .scalars import is_scalar, scalar_text

BACKOFFS = ("fixed", "exponential", "honor_retry_after")
RETRY_KEYS = {
    "on_status": Key("statuses that are tried again", True),
    "backoff": Key(", ".join(BACKOFFS), True),
    "max_attempts": Key("tries in all, the first included", True),
    "base_delay": Key("wait before the second try; 100ms by default"),
}
THROTTLE_KEYS = {
    "statuses": Key("statuses that mean rate limiting, besides 429"),
    "as_error": Key("whether a throttle counts as a failure, in any mode"),
}
_DEFAULT_BASE_DELAY_US = 100_000


def read_retry(value: Any) -> JsonObject:
    """The IR of a `retry` mapping, defaults filled in."""
    fields = read_mapping(value, RETRY_KEYS, "`retry`")
    on_status = read_statuses(fields["on_status"], "`on_status`")
    if not on_status:
        raise FlowError(
            "no-statuses", "`on_status` needs at least one status", "for example [503]"
        )
    return {
        "on_status": on_status,
        "backoff": read_choice(fields["backoff"], "`backoff`", BACKOFFS),
        "max_attempts": read_integer(fields["max_attempts"], "`max_attempts`", 1),
        "base_delay_us": read_duration(fields["base_delay"], "`base_delay`")
        if "base_delay" in fields
        else _DEFAULT_BASE_DELAY_US,
    }


def read_throttle(value: Any) -> JsonObject:
    """The IR of a `throttle` mapping; empty when it says nothing."""
    fields = read_mapping(value, THROTTLE_KEYS, "`throttle`")
    block: JsonObject = {}
    if "statuses" in fields:
        statuses = read_statuses(fields["statuses"], "`statuses`")
        if statuses:
            block["statuses"] = statuses
    if "as_error" in fields:
        block["as_error"] = read_boolean(fields["as_error"], "`as_error`")
    return block


def read_statuses(value: Any, what: str) -> List[int]:
    """A list of status codes, each 100 to 599."""
    if not is_list(value):
        digits = is_scalar(value) and isinstance(value, (int, str))
        text = scalar_text(value) if digits else ""
        raise FlowError(
            "wrong-type",
            f"{what} must be a list of statuses, but it is {describe(value)}",
            f"write [{text}]" if re.fullmatch("[0-9]+", text) else "for example [429, 503]",
        )
    return [_status(item, what) for item in value]


def _status(item: Any, what: str) -> int:
    wanted = f"each item of {what} must be a status from 100 to 599"
    check_scalar(item, wanted)
    number = isinstance(item, (int, float)) and not isinstance(item, bool)
    if number and item == int(item) and 100 <= item <= 599:
        return int(item)
    quoted = isinstance(item, str) and re.fullmatch("[1-5][0-9][0-9]", item)
    raise FlowError(
        "out-of-range" if number else "wrong-type",
        f"{wanted}, but this is {describe(item)}",
        "remove the quotes" if quoted else None,
    )
