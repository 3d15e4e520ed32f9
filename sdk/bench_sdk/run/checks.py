"""Extractions and assertions of one step. Mirrors `lib/engine/checks.ts`."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Tuple

from ..expr.check import compile_check, without_json
from ..expr.json_path import compile_path
from ..expr.typed_value import TypedValue
from ..values.json import OMIT
from .execution import Check, Failure
from .reply import Reply
from .scope import Scope


class StepChecks:
    """Every one of them runs, also on a throttled answer."""

    def __init__(self, step: Mapping[str, Any], pointer: str) -> None:
        """:param pointer: JSON Pointer of the step"""
        self._pointer = pointer
        self._extractions = step.get("extract", {})
        self._assertions = step.get("assert", [])
        self._checks = [compile_check(each) for each in self._assertions]

    def run(self, reply: Reply, scope: Scope) -> List[Check]:
        """Extracts, then asserts."""
        return [*self._extract(reply, scope), *self._assert(reply, scope)]

    def telling(self, checks: List[Check]) -> Optional[Failure]:
        """The failed check to see first: one on the status explains the others."""
        failed = [each for each in checks if each.failure]
        for each in failed:
            if each.kind == "assert":
                if self._assertions[int(each.name)]["subject"]["kind"] == "status":
                    return each.failure
        return failed[0].failure if failed else None

    def _extract(self, reply: Reply, scope: Scope) -> List[Check]:
        """A failed extraction leaves the variable without a value."""
        checks: List[Check] = []
        for variable, source in self._extractions.items():
            value, written = _find(source, reply)
            scope.variables[variable] = value
            failure = None
            if value is OMIT:
                why = without_json(reply) if source["from"] == "body" else ""
                failure = Failure(
                    "extraction",
                    f"cannot extract `{variable}`: {written} does not exist{why}",
                    f"{self._pointer}/extract/{variable}",
                    TypedValue("anything", ""),
                    TypedValue("nothing", ""),
                )
            checks.append(Check("extract", variable, failure))
        return checks

    def _assert(self, reply: Reply, scope: Scope) -> List[Check]:
        checks: List[Check] = []
        for index, check in enumerate(self._checks):
            mismatch = check(reply, reply.latency_ms, scope.variables)
            pointer = f"{self._pointer}/assert/{index}"
            failure = mismatch and Failure("assertion", mismatch[0], pointer, *mismatch[1:])
            checks.append(Check("assert", str(index), failure))
        return checks


def _find(source: Mapping[str, str], reply: Reply) -> Tuple[Any, str]:
    """The value, and what was looked for as a person would write it."""
    if source["from"] == "status":
        return (OMIT if reply.status is None else reply.status), "status"
    if source["from"] == "header":
        value = reply.header(source["name"])
        return (OMIT if value is None else value), f"header.{source['name']}"
    return compile_path(source["path"])(reply.json()), source["path"]
