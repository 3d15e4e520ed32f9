"""What `Flow.execute()` can do, and what needs `Flow.run()`."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

from ..errors import NeedsRunError
from ..pattern.ecmascript import compile_pattern
from ..pattern.source import Untranslatable


def check_possible(ir: Mapping[str, Any]) -> None:
    """:raises NeedsRunError: naming the mode, step, pool or pattern that needs `bench`"""
    mode = ir["profile"]["mode"]
    if mode not in ("integration", "system"):
        raise _needs_run(
            f"execute() runs integration and system flows, but this one is `{mode}`",
            "run() hands it to the `bench` command",
        )
    for step in ir["steps"]:
        if step["kind"] in ("ws", "grpc"):
            raise _needs_run(
                f"execute() cannot run the `{step['kind']}` step `{step['id']}`",
                "run() hands the flow to the `bench` command, which can",
            )
        for pattern in _patterns(step):
            _check_pattern(pattern, step["id"])
    for pool in ir.get("pools", ()):
        if pool["distribution"] == "random":
            raise _needs_run(
                f"execute() cannot draw from the pool `{pool['name']}` at random",
                "run() draws with its seed",
            )


def _patterns(step: Mapping[str, Any]) -> Iterator[str]:
    for assertion in (*step.get("assert", ()), *step["block"].get("until", ())):
        if assertion["op"] == "matches":
            yield assertion["value"]


def _check_pattern(pattern: str, step: str) -> None:
    try:
        compile_pattern(pattern)
    except Untranslatable as why:
        raise _needs_run(
            f"execute() cannot match the pattern of step `{step}`: it has {why}, "
            "which Python's `re` cannot follow",
            "run() hands the flow to the `bench` command, which can",
        ) from None


def _needs_run(message: str, hint: str) -> NeedsRunError:
    return NeedsRunError("needs-run", message, hint)
