"""The class of one answer. Mirrors `lib/outcome/classify.ts`."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ..wire.content import NO_BROTLI
from .execution import Failure
from .graphql_answer import judge_graphql
from .reply import Reply, judge_status


class StepRules:
    """What a step's own keys say about classes."""

    def __init__(self, step: Mapping[str, Any], mode: str) -> None:
        block = step["block"]
        subjects = [
            each["subject"] for each in (*step.get("assert", ()), *block.get("until", ()))
        ]
        self._judges_status = any(each["kind"] == "status" for each in subjects)
        throttle = step.get("throttle", {})
        self._throttled = throttle.get("statuses", ())
        self.throttle_is_error: bool = throttle.get("as_error", mode in ("integration", "system"))
        is_graphql = step["kind"] == "graphql"
        self._judge = judge_graphql(block["on_errors"]) if is_graphql else judge_status
        sources = [*subjects, *step.get("extract", {}).values()]
        self._reads_body = is_graphql or any("path" in each for each in sources)

    def judge(self, reply: Reply) -> Optional[Failure]:
        """What is wrong with a whole answer that is no throttle; None when nothing is."""
        failure = self._judge(reply)
        told = failure is not None and failure.code == "status" and not self._judges_status
        if reply.is_brotli and self._reads_body and not told:
            return Failure("content-encoding", NO_BROTLI)
        return failure

    def classify(self, reply: Reply) -> str:
        """The class before the checks (spec, "Outcome classification")."""
        if reply.signal == "throttle" or reply.status in self._throttled:
            return "throttled"
        if reply.signal == "ok":
            return "passed"
        return "failed" if reply.broken or not self._judges_status else "passed"
