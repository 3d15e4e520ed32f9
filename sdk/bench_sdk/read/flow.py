"""The keys of a flow file, and its names."""

from __future__ import annotations

import re
from typing import Any, List, Mapping, Sequence

from ..errors import FlowError
from .mapping import Key
from .scalars import read_string

FLOW_KEYS = {
    "flow": Key("the flow's name, such as `checkout`", True),
    "profile": Key("how the flow is run: mode, VUs, thresholds"),
    "auth": Key("auth of every request-making step without its own"),
    "data": Key("fixture file; its rows are read as {{ user.<column> }}"),
    "steps": Key("what is done, in order", True),
}


def read_flow_name(value: Any) -> str:
    """:raises FlowError: `bad-name`"""
    name = read_string(value, "`flow`")
    if re.fullmatch("[A-Za-z_][A-Za-z0-9_-]*", name):
        return name
    near = re.sub("[^A-Za-z0-9_-]+", "_", name.strip())
    near = f"_{near}" if re.match("[0-9-]", near) else near
    raise FlowError(
        "bad-name",
        "a flow's name starts with a letter or _ and goes on with letters, "
        f'digits, _ and -, but this is "{name}"',
        f"for example `{near}`" if near else None,
    )


def pool_names(pools: Sequence[Mapping[str, Any]]) -> List[str]:
    """:raises FlowError: `duplicate-pool`"""
    names: List[str] = []
    for pool in pools:
        name = pool["name"]
        if name == "env":
            raise FlowError(
                "duplicate-pool", "a pool cannot be called `env`: {{ env.* }} is the environment"
            )
        if name in names:
            raise FlowError("duplicate-pool", f"the pool `{name}` is defined twice")
        names.append(name)
    return names


def refuse_version(key: str) -> None:
    """Spec, Versioning: the flow file is v0 and has no version key.

    :raises FlowError: `version-key`
    """
    if key == "version":
        raise FlowError(
            "version-key",
            "a flow file has no `version`: this is the v0 format, which needs none",
            "remove the line",
        )
