"""Targets: where a run may go, and how hard."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Dict, List, Optional, Sequence, Union

from ..errors import FlowError, InputError
from ..keywords import known_keywords
from ..read.address import (
    check_base_url,
    check_host_port,
    refuse_credentials,
    refuse_templates,
)
from ..read.mapping import Key, read_mapping
from ..read.profile import MODES
from ..read.scalars import read_choice, read_duration, read_integer, read_string
from ..values.json import describe, is_list
from .target_text import read_target_text

TARGET_KEYS = {
    "name": Key("the target's name, such as `staging`", True),
    "base_urls": Key("absolute URLs; no other host is contacted", True),
    "max_vus": Key("most virtual users a run may have; 0 for no limit"),
    "max_rps": Key("most requests a second; 0 for no limit"),
    "request_timeout": Key("bounds one call; 30s by default"),
    "agent_addr": Key("host:port of a metrics agent"),
    "disallowed_modes": Key(f"modes refused here: {', '.join(MODES)}"),
}
_DEFAULT_TIMEOUT_US = 30_000_000


class Target:
    """A target, as a target file has it.

    :ivar base_urls: the hosts a run may contact; relative URLs join the first
    :ivar request_timeout_us: bounds one attempt, in microseconds
    """

    @known_keywords
    def __init__(
        self,
        name: str,
        base_urls: Sequence[str],
        *,
        max_vus: int = 0,
        max_rps: int = 0,
        request_timeout: Union[str, int] = "30s",
        agent_addr: Optional[str] = None,
        disallowed_modes: Sequence[str] = (),
    ) -> None:
        """:raises FlowError: for the first mistake"""
        self.name = _name(name)
        self.base_urls = _base_urls(base_urls)
        self.max_vus = read_integer(max_vus, "`max_vus`", 0)
        self.max_rps = read_integer(max_rps, "`max_rps`", 0)
        self.request_timeout_us = _timeout(request_timeout)
        self.agent_addr = None if agent_addr is None else _agent_addr(agent_addr)
        self.disallowed_modes = _modes(disallowed_modes)

    @classmethod
    def from_dict(cls, target: Dict[str, Any]) -> Target:
        """A target from a mapping with the keys of a target file."""
        fields = read_mapping(target, TARGET_KEYS, "the target file", refuse_credentials)
        return cls(**fields)

    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> Target:
        """Reads a target file: JSON, or YAML without anchors, tags and block scalars.

        :raises InputError: when there is no such file, or it needs a full YAML reader
        :raises FlowError: for a mistake in it
        """
        name = os.fspath(path)
        try:
            with open(name, encoding="utf-8-sig") as file:
                text = file.read()
        except OSError as error:
            raise InputError(
                "no-file", f"cannot read the target file {name}: {error.strerror}", file=name
            ) from None
        return cls.from_dict(read_target_text(text, name))

    def to_text(self) -> str:
        """The target file as JSON, which is YAML too."""
        fields: Dict[str, Any] = {"name": self.name, "base_urls": self.base_urls}
        fields["request_timeout"] = f"{self.request_timeout_us}us"
        for key in ("max_vus", "max_rps", "agent_addr", "disallowed_modes"):
            value = getattr(self, key)
            if value:
                fields[key] = value
        return json.dumps(fields, indent=2) + "\n"


def target_of(target: Union[str, Target]) -> Target:
    """A `Target`, a base URL, or the path of a target file.

    :raises FlowError: when it is none of them
    """
    if isinstance(target, Target):
        return target
    if is_url(target):
        return Target("inline", [target])
    if is_path(target):
        return Target.read(target)
    raise FlowError(
        "no-target",
        f"`{target}` is neither a base URL nor a path to a target file",
        "run() looks target names up; execute() takes a URL, a path or a Target",
    )


def is_url(target: str) -> bool:
    """Whether a target is given by its base URL."""
    return re.match("[A-Za-z][A-Za-z0-9+.-]*://", target) is not None


def is_path(target: str) -> bool:
    """Whether a target is given by a file, and not by name."""
    return not is_url(target) and re.search(r"[/\\]|\.(ya?ml|json)$", target) is not None


def _name(value: Any) -> str:
    name = refuse_templates(read_string(value, "`name`"))
    if re.fullmatch("[A-Za-z_][A-Za-z0-9_-]*", name):
        return name
    raise FlowError(
        "bad-name",
        "a target's name starts with a letter or _ and goes on with letters, "
        f'digits, _ and -, but this is "{name}"',
    )


def _base_urls(value: Any) -> Sequence[str]:
    if not is_list(value):
        raise FlowError(
            "wrong-type",
            f"`base_urls` must be a list of URLs, but it is {describe(value)}",
            f"write [{value}]" if isinstance(value, str) else "start each URL with `- `",
        )
    if not value:
        raise FlowError(
            "no-base-url",
            "`base_urls` needs at least one URL: it is the list of hosts a run may contact",
        )
    urls = [
        refuse_templates(read_string(each, "each item of `base_urls`")) for each in value
    ]
    for url in urls:
        check_base_url(url)
    return urls


def _agent_addr(value: Any) -> str:
    text = refuse_templates(read_string(value, "`agent_addr`"))
    check_host_port(text)
    return text


def _modes(value: Any) -> List[str]:
    if not is_list(value):
        raise FlowError(
            "wrong-type",
            f"`disallowed_modes` must be a list of modes, but it is {describe(value)}",
            f"write [{value}]" if isinstance(value, str) else None,
        )
    return [read_choice(mode, "each item of `disallowed_modes`", MODES) for mode in value]


def _timeout(value: Any) -> int:
    # The one duration that may be written without a unit, as 0 is a word here.
    if value == 0:
        return _DEFAULT_TIMEOUT_US
    return read_duration(value, "`request_timeout`") or _DEFAULT_TIMEOUT_US
