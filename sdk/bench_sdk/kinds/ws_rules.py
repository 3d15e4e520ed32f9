"""Rules of `ws` steps: who opens a session, who joins it, what goes only with opening."""

from __future__ import annotations

import re
from typing import Any, List, Mapping, Sequence, Set

from ..auth.names import TOKEN
from ..errors import FlowError
from ..expr.assertion import format_subject
from ..values.suggest import nearest


def check_ws(step: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> None:
    """:param before: the `ws` steps so far
    :raises FlowError: for the first rule that does not hold
    """
    opened = {_name(each): each["id"] for each in before if "url" in each["block"]}
    if "url" in step["block"]:
        _check_opening(step, opened)
    else:
        _check_joining(step, list(opened))
    _check_match(step["block"])


def _name(step: Mapping[str, Any]) -> str:
    return str(step["block"].get("session", ""))


def _session(name: str) -> str:
    return "the unnamed session" if name == "" else f"the session `{name}`"


def _check_opening(step: Mapping[str, Any], opened: Mapping[str, str]) -> None:
    block, name = step["block"], _name(step)
    if name in opened:
        raise FlowError(
            "session-reopened",
            f"{_session(name)} is open already: step `{opened[name]}` opened it, "
            "and it lives until the iteration ends",
            "to use it, leave `url` out; for another one, give it a `session` name of its own",
        )
    for header in block.get("headers", {}):
        if re.match("sec-websocket-", header, re.IGNORECASE):
            raise FlowError(
                "framing-header",
                f"`{header}` cannot be declared: the engine writes the handshake",
                "name subprotocols under `subprotocols`"
                if header.lower().endswith("-protocol")
                else "remove the header",
            )
    seen: Set[str] = set()
    for each in block.get("subprotocols", ()):
        _check_subprotocol(each, seen)


def _check_subprotocol(name: str, seen: Set[str]) -> None:
    if not TOKEN.fullmatch(name):
        raise FlowError(
            "bad-subprotocol",
            f'"{name}" is not a subprotocol: only letters, digits and '
            "!#$%&'*+-.^_`|~ may stand in one",
            "`subprotocols` is not templated" if "{{" in name else None,
        )
    if name in seen:
        raise FlowError(
            "bad-subprotocol", f"the subprotocol `{name}` is offered twice", "keep one of them"
        )
    seen.add(name)


def _check_joining(step: Mapping[str, Any], opened: List[str]) -> None:
    block = step["block"]
    if "send" not in block and "receive" not in block:
        raise FlowError(
            "ws-idle",
            f"step `{step['id']}` does nothing: a `ws` step needs `url`, `send` or `receive`",
        )
    for key in ("headers", "subprotocols", "auth"):
        if key in (step if key == "auth" else block):
            raise FlowError(
                "not-opening",
                f"`{key}` goes with the handshake, but step `{step['id']}` "
                "opens no session: it has no `url`",
                f"move `{key}` to the step that opens the session",
            )
    name = _name(step)
    if name not in opened:
        raise FlowError(
            "session-not-open", f"no step opens {_session(name)}", _way_in(name, opened)
        )


def _way_in(name: str, opened: List[str]) -> str:
    named = [each for each in opened if each != ""]
    near = nearest(name, named)
    if near:
        return f"did you mean `{near}`?"
    if "" in opened:
        return "to join the unnamed session, leave `session` out"
    if named:
        return f"name the session to join: {', '.join(f'`session: {each}`' for each in named)}"
    return "a `ws` step with a `url` opens one"


def _check_match(block: Mapping[str, Any]) -> None:
    """A filter looks at the frame and at nothing else."""
    for assertion in block.get("receive", {}).get("match", ()):
        subject = assertion["subject"]
        if subject["kind"] not in ("body", "variable"):
            raise FlowError(
                "match-subject",
                f"`match` looks at the frame alone, but `{format_subject(subject)}` "
                "is no part of it",
                "use a JSON path into the frame, such as $.type",
            )
