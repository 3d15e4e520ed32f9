"""One step, given as a mapping of the keys a flow file has."""

from __future__ import annotations

import re
from typing import Any, Dict, Mapping, Optional

from ..auth.read import read_auth
from ..errors import FlowError
from ..kinds.kind import STEP_KEYS, Kind
from ..kinds.registry import KINDS
from ..values.json import JsonObject, is_object
from .expressions import read_assertions
from .extract import read_extract
from .mapping import Key, read_mapping
from .policy import read_retry, read_throttle
from .scalars import is_scalar, read_choice, read_string, scalar_text

ON_FAILURE = ("abort_flow", "abort_run", "record")
CAPTURES = ("full", "headers", "none")
#: Actions of the flow language.
ACTIONS = ("call", "graphql", "ws", "grpc", "wait", "poll")
_COMMON = {
    "headers": Key("request headers"),
    "query": Key("URL query parameters"),
    "body": Key("request body, sent as JSON"),
    "extract": Key("variables taken from the answer, by JSON path"),
    "assert": Key("assertions on the answer"),
    "retry": Key("when to try again, and how long to wait"),
    "throttle": Key("statuses that mean rate limiting besides 429"),
    "auth": Key("credentials of this step; overrides the flow's"),
}
TABLE: Dict[str, Key] = {
    "id": Key("the step's name, unique in the flow", True),
    **{name: Key(kind.doc) for name, kind in KINDS.items()},
    **_COMMON,
    "on_failure": Key(f"after a failure: {', '.join(ON_FAILURE)}"),
}


def read_step(value: Any, index: int, flow_auth: Optional[JsonObject]) -> JsonObject:
    """Reads one step into its IR.

    :param index: 0-based place in the flow, for messages
    :param flow_auth: what a request-making step without `auth` inherits
    :raises FlowError: for the first mistake
    """
    what = _name(value, index)
    kind = _action(value, what)
    fields = read_mapping(value, TABLE, what, _unsupported)
    if kind is None:
        raise FlowError(
            "no-action", f"{what} has no action", f"give it exactly one of: {', '.join(KINDS)}"
        )
    _check_misplaced(fields, kind, what)
    block = kind.read(fields[kind.name], {k: v for k, v in fields.items() if k in kind.keys})
    step: JsonObject = {"id": _id(fields["id"]), "kind": kind.name, "block": block}
    if "extract" in fields:
        _put(step, "extract", read_extract(fields["extract"]))
    if "assert" in fields:
        _put(step, "assert", read_assertions(fields["assert"], "`assert`", kind.status_names))
    if "retry" in fields:
        _put(step, "retry", read_retry(fields["retry"]))
    if "throttle" in fields:
        _put(step, "throttle", read_throttle(fields["throttle"]))
    _put(step, "auth", _auth(fields, kind, block, flow_auth))
    step["on_failure"] = (
        read_choice(fields["on_failure"], "`on_failure`", ON_FAILURE)
        if "on_failure" in fields
        else "abort_flow"
    )
    return step


def _put(step: JsonObject, key: str, value: Any) -> None:
    if value:
        step[key] = value


def _name(value: Any, index: int) -> str:
    """What a step is called in messages: by its id when that can be read."""
    written = value.get("id") if is_object(value) else None
    text = scalar_text(written) if is_scalar(written) else ""
    return f"step `{text}`" if text else f"step {index + 1}"


def _id(value: Any) -> str:
    text = read_string(value, "`id`")
    reserved = re.search("[.@]", text)
    if text.strip() == "":
        raise FlowError("bad-id", "a step's id cannot be empty")
    if reserved:
        raise FlowError(
            "bad-id",
            f'the id "{text}" has a `{reserved[0]}` in it: `.` and `@` are reserved for span names',
            f"for example `{re.sub('[.@]+', '_', text)}`",
        )
    return text


def _action(value: Any, what: str) -> Optional[Kind]:
    keys = [key for key in value if key in KINDS or key in ACTIONS] if is_object(value) else []
    if len(keys) > 1:
        raise FlowError(
            "two-actions",
            f"{what} has two actions, `{keys[0]}` and `{keys[1]}`",
            "a step does one thing: make it two steps",
        )
    return KINDS.get(keys[0]) if keys else None


def _unsupported(key: str) -> None:
    if key in ACTIONS:
        raise FlowError(
            "unsupported-action",
            f"this version cannot run `{key}` steps yet",
            f"it can run: {', '.join(KINDS)}",
        )


def _check_misplaced(fields: Mapping[str, Any], kind: Kind, what: str) -> None:
    """Common step keys that do not go with the step's action."""
    for key in STEP_KEYS:
        if key not in fields or key in kind.keys:
            continue
        if key == "auth" and not kind.requests:
            raise FlowError(
                "auth-without-request",
                f"{what} is a `{kind.name}`, which makes no request, so it takes no `auth`",
                "remove `auth`",
            )
        raise FlowError("key-not-allowed", f"`{key}` does not go with `{kind.name}`", _way_out(key, kind))


def _way_out(key: str, kind: Kind) -> str:
    if not kind.requests:
        return f"a `{kind.name}` step gets no answer: remove `{key}`"
    if key in ("headers", "query", "body"):
        return f"what is sent stands inside the `{kind.name}` block"
    if key == "retry" and kind.name == "poll":
        return "`interval`, `timeout` and `max_attempts` of the `poll` block say how often"
    return f"remove `{key}`"


def _auth(
    fields: Mapping[str, Any], kind: Kind, block: JsonObject, inherited: Optional[JsonObject]
) -> Optional[JsonObject]:
    """The step's own auth, else the flow's when the step makes a request."""
    if "auth" in fields:
        return read_auth(fields["auth"])
    if not kind.requests or "auth" not in kind.keys:
        return None
    authorizes = kind.authorizes is None or kind.authorizes(block)
    return dict(inherited) if inherited and authorizes else None
