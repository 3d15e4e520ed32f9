"""One step: attempts and the waits between them, then its checks."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ..auth.auth_error import AuthError
from ..auth.authorizer import Addition, Authorizer
from ..expr.check import compile_check
from ..expr.json_path import compile_path
from ..expr.typed_value import TypedValue
from ..values.json import OMIT
from ..wire.clock import Clock
from ..wire.connections import Connections
from ..wire.request_head import RequestError
from ..wire.url import BaseUrl
from .execution import Attempt, Check, Failure, StepResult
from .graphql_answer import judge_graphql
from .reply import Reply, judge_status
from .request import call_body, graphql_body, make_request
from .scope import ResolutionError, Scope

#: No single wait is longer than this (spec, Limits).
_LONGEST_BACKOFF_MS = 120_000.0


class Tools(NamedTuple):
    """What all steps of an execution share."""

    base: BaseUrl
    connections: Connections
    clock: Clock
    mode: str


class _Try(NamedTuple):
    """One attempt before its checks."""

    outcome: str
    reply: Optional[Reply] = None
    failure: Optional[Failure] = None


class StepRunner:
    """One step of the IR, made ready."""

    def __init__(
        self, step: Mapping[str, Any], index: int, authorizer: Optional[Authorizer], tools: Tools
    ) -> None:
        self.step = step
        self._pointer = f"/steps/{index}"
        self._authorizer = authorizer
        self._tools = tools
        self._block: Mapping[str, Any] = step["block"]
        self._until = [compile_check(each) for each in self._block.get("until", ())]
        self._asserts = [compile_check(each) for each in step.get("assert", ())]
        assertions = [*step.get("assert", ()), *self._block.get("until", ())]
        self._judges_status = any(each["subject"]["kind"] == "status" for each in assertions)
        throttle = step.get("throttle", {})
        self._throttled = throttle.get("statuses", ())
        self._throttle_is_error = throttle.get("as_error", tools.mode in ("integration", "system"))
        judge = judge_graphql(self._block["on_errors"]) if step["kind"] == "graphql" else judge_status
        self._judge = judge

    def run(self, scope: Scope) -> StepResult:
        """Runs the step once."""
        clock = self._tools.clock
        if self.step["kind"] == "wait":
            clock.sleep(self._block["duration_us"] / 1_000)
            return StepResult(self.step["id"], "passed", False, (), ())
        attempts: List[Attempt] = []
        started = clock.now()
        last = self._attempt(scope)
        number = 1
        while True:
            wait_ms, gave_up = self._again(last, number, started, scope)
            if gave_up:
                last = last._replace(outcome="failed", failure=gave_up)
            if wait_ms is None:
                break
            attempts.append(_attempt(last)._replace(backoff_ms=wait_ms))
            clock.sleep(wait_ms)
            last = self._attempt(scope)
            number += 1
        return self._finish(last, attempts, scope)

    def _attempt(self, scope: Scope) -> _Try:
        try:
            addition = self._authorizer.addition(scope) if self._authorizer else Addition()
            block = self._block
            if self.step["kind"] == "graphql":
                body: Optional[str] = graphql_body(block, scope)
                block = {"method": "POST", "url": block["url"], "headers": block.get("headers", {})}
            else:
                body = call_body(block, scope)
            request = make_request(block, body, self._tools.base, addition, scope)
        except ResolutionError as error:
            return _Try("failed", None, Failure("resolution", str(error)))
        except AuthError as error:
            return _Try("failed", None, Failure(error.code, str(error)))
        except RequestError as error:
            return _Try("failed", None, Failure("request", str(error)))
        answer = self._tools.connections.exchange(request.origin, block["method"], request.data)
        reply = Reply(answer, request.data, self._judge)
        outcome = self._classify(reply)
        return _Try(outcome, reply, reply.failure if outcome == "failed" else None)

    def _classify(self, reply: Reply) -> str:
        """The class of one answer (spec, "Outcome classification")."""
        if reply.signal == "throttle" or reply.status in self._throttled:
            return "throttled"
        if reply.signal == "ok":
            return "passed"
        return "failed" if reply.broken or not self._judges_status else "passed"

    def _again(
        self, last: _Try, number: int, started: float, scope: Scope
    ) -> Tuple[Optional[float], Optional[Failure]]:
        """The wait before another attempt, and a verdict that replaces the answer's."""
        reply = last.reply
        if reply is None:
            return None, None
        retry = self.step.get("retry")
        if retry and number < retry["max_attempts"] and reply.status in retry["on_status"]:
            return self._backoff(retry, number, reply), None
        # An answer of any status is judged by `until`; a broken exchange ends it.
        if not self._until or reply.status is None or reply.broken:
            return None, None
        throttled = last.outcome == "throttled"
        unmet = None if throttled else self._unmet(reply, scope)
        if unmet is None and not throttled:
            return None, None
        interval = self._block["interval_us"] / 1_000
        spent = self._tools.clock.now() - started
        timeout = self._block.get("timeout_us", float("inf")) / 1_000
        if number < self._block.get("max_attempts", float("inf")) and spent + interval <= timeout:
            return interval, None
        if unmet is None:
            return None, None
        rounds = "1 round" if number == 1 else f"{number} rounds"
        return None, unmet._replace(message=f"gave up after {rounds}: {unmet.message}")

    def _unmet(self, reply: Reply, scope: Scope) -> Optional[Failure]:
        for index, check in enumerate(self._until):
            mismatch = check(reply, reply.latency_ms, scope.variables)
            if mismatch:
                return Failure("poll", mismatch[0], f"{self._pointer}/block/until/{index}", *mismatch[1:])
        return None

    def _backoff(self, retry: Mapping[str, Any], number: int, reply: Reply) -> float:
        base = retry["base_delay_us"] / 1_000
        wanted: Optional[float] = base
        if retry["backoff"] == "exponential":
            wanted = base * 2 ** (number - 1)
        elif retry["backoff"] == "honor_retry_after":
            wanted = reply.retry_after_ms(self._tools.clock.wall())
        return min(_LONGEST_BACKOFF_MS, base if wanted is None else wanted)

    def _finish(self, last: _Try, attempts: List[Attempt], scope: Scope) -> StepResult:
        checks: List[Check] = []
        if last.reply and not last.reply.broken:
            checks = [*self._extract(last.reply, scope), *self._assert(last.reply, scope)]
        telling = self._telling(checks)
        outcome = "failed" if last.outcome == "passed" and telling else last.outcome
        failure = (last.failure or telling) if outcome == "failed" else None
        attempts.append(_attempt(last._replace(outcome=outcome, failure=failure)))
        is_error = outcome == "throttled" and self._throttle_is_error
        return StepResult(
            self.step["id"], outcome, is_error, tuple(attempts), tuple(checks), failure
        )

    def _extract(self, reply: Reply, scope: Scope) -> List[Check]:
        """A failed extraction leaves the variable without a value."""
        checks = []
        for variable, source in self.step.get("extract", {}).items():
            value, written = _find(source, reply)
            scope.variables[variable] = value
            failure = None
            if value is OMIT:
                no_json = source["from"] == "body" and reply.json() is OMIT
                failure = Failure(
                    "extraction",
                    f"cannot extract `{variable}`: {written} does not exist"
                    + (" (the body is not JSON)" if no_json else ""),
                    f"{self._pointer}/extract/{variable}",
                    TypedValue("anything", ""),
                    TypedValue("nothing", ""),
                )
            checks.append(Check("extract", variable, failure))
        return checks

    def _assert(self, reply: Reply, scope: Scope) -> List[Check]:
        checks = []
        for index, check in enumerate(self._asserts):
            mismatch = check(reply, reply.latency_ms, scope.variables)
            failure = mismatch and Failure(
                "assertion", mismatch[0], f"{self._pointer}/assert/{index}", *mismatch[1:]
            )
            checks.append(Check("assert", str(index), failure))
        return checks

    def _telling(self, checks: List[Check]) -> Optional[Failure]:
        """The failed check to see first: one on the status explains the others."""
        failed = [each for each in checks if each.failure]
        for each in failed:
            if each.kind == "assert":
                subject: Dict[str, Any] = self.step["assert"][int(each.name)]["subject"]
                if subject["kind"] == "status":
                    return each.failure
        return failed[0].failure if failed else None


def _find(source: Mapping[str, str], reply: Reply) -> Tuple[Any, str]:
    """The value, and what was looked for as a person would write it."""
    if source["from"] == "status":
        return (OMIT if reply.status is None else reply.status), "status"
    if source["from"] == "header":
        value = reply.header(source["name"])
        return (OMIT if value is None else value), f"header.{source['name']}"
    return compile_path(source["path"])(reply.json()), source["path"]


def _attempt(tried: _Try) -> Attempt:
    reply = tried.reply
    if reply is None:
        return Attempt(tried.outcome, None, 0.0, None, None, tried.failure)
    return Attempt(
        tried.outcome,
        reply.status,
        reply.latency_ms,
        reply.request(),
        reply.response(),
        tried.failure,
    )
