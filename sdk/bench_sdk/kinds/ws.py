"""`ws`: opens a WebSocket session, sends a JSON frame on it, receives one."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from ..errors import FlowError
from ..expr.assertion import Assertion
from ..read.expressions import read_assertions
from ..read.mapping import Key, read_mapping
from ..read.payload import read_payload
from ..read.scalars import is_scalar, read_duration, read_string, scalar_text
from ..values.json import JsonObject, describe, is_list
from .block_url import URL_KEYS, read_block_url
from .http_block import read_headers
from .kind import Evidences, Kind
from .ws_rules import check_ws

WS_KEYS = {
    "url": Key("opens a session; a relative URL joins the target's base URL"),
    "endpoint": URL_KEYS["endpoint"],
    "session": Key("name of the session; the flow's unnamed one when absent"),
    "subprotocols": Key("subprotocols to offer when opening"),
    "send": Key("a JSON frame to send"),
    "receive": Key("waits for a frame; alone it takes the next one"),
}
RECEIVE_KEYS = {
    "match": Key("assertions on the frame; frames they do not hold for are skipped"),
    "timeout": Key("how long to wait; the target's request_timeout when absent"),
}


def _read(action: Any, fields: Mapping[str, Any]) -> JsonObject:
    parts = read_mapping(action, WS_KEYS, "`ws`")
    block: JsonObject = {}
    url = read_block_url(parts)
    if url is not None:
        block["url"] = url
    headers = read_headers(fields["headers"]) if "headers" in fields else {}
    if headers:
        block["headers"] = headers
    if "session" in parts and parts["session"] is not None:
        session = _session(parts["session"])
        if session:
            block["session"] = session
    if "subprotocols" in parts:
        offered = _subprotocols(parts["subprotocols"])
        if offered:
            block["subprotocols"] = offered
    if "send" in parts:
        block["send"] = read_payload(parts["send"])
    if "receive" in parts:
        block["receive"] = _receive(parts["receive"])
    return block


def _session(value: Any) -> str:
    name = read_string(value, "`session`")
    if "{{" in name:
        raise FlowError(
            "session-template",
            f'`session` is a name and never templated, but it is "{name}"',
            "every virtual user has sessions of its own: one name is enough",
        )
    return name


def _subprotocols(value: Any) -> List[str]:
    if not is_list(value):
        raise FlowError(
            "wrong-type",
            f"`subprotocols` must be a list, but it is {describe(value)}",
            f"for one: [{scalar_text(value)}]" if is_scalar(value) else None,
        )
    return [read_string(item, "a subprotocol") for item in value]


def _receive(value: Any) -> Dict[str, Any]:
    if value is None:
        return {}
    if is_scalar(value):
        raise FlowError(
            "wrong-type",
            f"`receive` must be a mapping or empty, but it is {describe(value)}",
            "a bare `receive:` takes the next frame; a filter stands under `match`",
        )
    parts = read_mapping(value, RECEIVE_KEYS, "`receive`")
    receive: Dict[str, Any] = {}
    if "match" in parts:
        receive["match"] = _match(parts["match"])
    if "timeout" in parts:
        receive["timeout_us"] = read_duration(
            parts["timeout"], "`timeout`", (1, "greater than 0")
        )
    return receive


def _match(value: Any) -> List[Dict[str, Any]]:
    """One assertion, or a list of them that all have to hold."""
    items = list(value) if is_list(value) else [value]
    for item in items:
        _refuse_logic(item)
    if not items:
        raise FlowError(
            "match-empty",
            "`match` needs an assertion on the frame",
            "to take the next frame whatever it is, leave `match` out",
        )
    return read_assertions(items, "`match`")


def _refuse_logic(item: Any) -> None:
    """`a && b` would be read as one comparison with the text `... && b`."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]", "", item if isinstance(item, str) else "")
    word = re.search(r"&&|\|\|", bare)
    if word:
        raise FlowError(
            "match-logic",
            f"an item of `match` is one assertion, but this one has a `{word[0]}`",
            "make `match` a list: a frame matches when all of its assertions hold"
            if word[0] == "&&"
            else "there is no `or`: `matches` with a pattern such as ^(a|b)$ "
            "takes one of several values",
        )


def _templates(block: Mapping[str, Any]) -> Iterator[Any]:
    for key in ("url", "headers", "send"):
        if key in block:
            yield block[key]


def _evidence(block: Mapping[str, Any]) -> Evidences:
    return Evidences(status=False, headers=False, body="receive" in block)


def _matches(block: Mapping[str, Any]) -> Sequence[Assertion]:
    receive: Mapping[str, Sequence[Assertion]] = block.get("receive", {})
    return receive.get("match", ())


def _opens(block: Mapping[str, Any]) -> bool:
    return "url" in block


ws = Kind(
    name="ws",
    doc="a WebSocket session: open it, send a frame, receive one",
    keys=("headers", "extract", "assert", "throttle", "auth"),
    requests=True,
    read=_read,
    templates=_templates,
    assertions=_matches,
    authorizes=_opens,
    evidence=_evidence,
    check=check_ws,
)
