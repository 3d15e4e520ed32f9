"""Checks before the first request, beyond the flow itself."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, Iterator, Mapping, Optional, Union

from ..check.references import templated_strings
from ..data.fixture import Fixture, read_fixture
from ..errors import FlowError
from ..expr.template import Reference, parse_template
from ..values.suggest import nearest
from ..wire.allow_list import AllowList
from ..wire.url import BaseUrl, resolve_url
from .target import Target


def read_environment(ir: Mapping[str, Any], env: Mapping[str, str]) -> Dict[str, str]:
    """The environment variables the flow names, and no others.

    :raises FlowError: `missing-env`
    """
    values: Dict[str, str] = {}
    for reference in _references(ir):
        if reference.root == "env":
            name = ".".join(reference.path)
            if name not in env:
                raise FlowError(
                    "missing-env",
                    f"{reference} has no value: the environment variable {name} is not set",
                    f"set it: export {name}=...",
                )
            values[name] = env[name]
    return values


def read_fixtures(
    ir: Mapping[str, Any], directory: Union[str, os.PathLike[str], None]
) -> Dict[str, Fixture]:
    """Every fixture of the flow, by pool.

    :raises InputError: for a file that is missing or wrong
    """
    folder = os.fspath(directory) if directory is not None else os.curdir
    return {
        pool["name"]: read_fixture(
            os.path.normpath(os.path.join(folder, pool["path"])), pool["format"]
        )
        for pool in ir.get("pools", ())
    }


def check_columns(ir: Mapping[str, Any], fixtures: Mapping[str, Fixture]) -> None:
    """:raises FlowError: for a template that names no column of its fixture"""
    for reference in _references(ir):
        fixture = fixtures.get(reference.root)
        column = ".".join(reference.path)
        if fixture is None or column in fixture.columns:
            continue
        near = nearest(column, fixture.columns)
        raise FlowError(
            "unresolved-template",
            f"{reference} names a column the fixture does not have",
            f"did you mean {{{{ {reference.root}.{near} }}}}?"
            if near
            else f"its columns: {', '.join(fixture.columns)}",
        )


def check_hosts(ir: Mapping[str, Any], base: BaseUrl, allowed: AllowList) -> None:
    """Checks every URL whose host is known before the run.

    :raises FlowError: `forbidden-host`
    """
    for step in ir["steps"]:
        urls = [step["block"].get("url"), step.get("auth", {}).get("token_url")]
        for url in urls:
            known = _known_part(url) if url is not None else None
            if known is not None:
                _check_host(known, base, allowed)


def check_target(ir: Mapping[str, Any], target: Target) -> None:
    """What the target forbids. Ceilings refuse, they never clamp."""
    mode, vus = ir["profile"]["mode"], ir["profile"]["vus"]
    if mode in target.disallowed_modes:
        raise FlowError(
            "disallowed-mode",
            f"target `{target.name}` does not allow {mode} runs",
            f"its `disallowed_modes`: {', '.join(target.disallowed_modes)}",
        )
    peak = vus if isinstance(vus, int) else 1
    if target.max_vus and peak > target.max_vus:
        raise FlowError(
            "max-vus",
            f"the profile plans {peak} VUs, but target `{target.name}` allows {target.max_vus}",
            "lower `vus`, or ask the target's owner for a higher `max_vus`",
        )


def _check_host(url: str, base: BaseUrl, allowed: AllowList) -> None:
    try:
        origin = resolve_url(url, base).origin
    except ValueError as error:
        raise FlowError("forbidden-host", str(error)) from None
    if not allowed.permits(origin):
        raise FlowError(
            "forbidden-host",
            allowed.refusal(origin),
            "list the host under `base_urls` of the target, if it may be contacted",
        )


def _known_part(url: str) -> Optional[str]:
    """The URL up to its first template, when the host stands before that."""
    at = url.find("{{")
    if at < 0:
        return url
    known = url[:at]
    absolute = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+[/?#]", known)
    return known if absolute or re.match("/[^/]", known) else None


def _references(ir: Mapping[str, Any]) -> Iterator[Reference]:
    for step in ir["steps"]:
        for text, _ in templated_strings(step):
            for part in parse_template(text):
                if isinstance(part, Reference):
                    yield part
