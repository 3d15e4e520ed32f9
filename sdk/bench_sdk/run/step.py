"""One step: attempts and the waits between them, then its checks."""

from __future__ import annotations

from typing import Any, List, Mapping, NamedTuple, Optional, Tuple

from ..auth.auth_error import AuthError
from ..auth.authorizer import Authorizer
from ..expr.check import compile_check
from ..wire.clock import Clock
from ..wire.connections import Connections
from ..wire.request_head import RequestError
from ..wire.url import BaseUrl
from .checks import StepChecks
from .execution import Attempt, Check, Failure, StepResult
from .rate_gate import RateGate
from .reply import Reply
from .request import ReadyRequest, call_body, graphql_body, locate, make_request
from .rules import StepRules
from .scope import ResolutionError, Scope, is_constant

#: No single wait is longer than this (spec, Limits).
_LONGEST_BACKOFF_MS = 120_000.0


class Tools(NamedTuple):
    """What all steps of an execution share."""

    base: BaseUrl
    connections: Connections
    gate: RateGate
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
        self._method: str = self._block.get("method", "POST")
        self._rules = StepRules(step, tools.mode)
        self._checks = StepChecks(step, self._pointer)

    def check(self, env: Mapping[str, str]) -> None:
        """What cannot work for any row or answer, since only the environment is in it.

        :raises RequestError: for a URL or a field that cannot be sent
        :raises AuthError: for credentials that cannot be
        """
        scope = Scope(env, {}, {})
        if self.step["kind"] == "wait":
            return
        if is_constant(self._block["url"]):
            locate(self._block["url"], self._tools.base, scope)
        signs = self._authorizer is not None and self._authorizer.signs
        templated = ["url", "headers", "body", "variables"]
        # The document of a graphql step is no template.
        templated += [] if self.step["kind"] == "graphql" else ["query"]
        parts = [self.step.get("auth"), *(self._block.get(key) for key in templated)]
        if not signs and is_constant(parts):
            self._request(scope)

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
        self._tools.gate.enter()
        try:
            if self._authorizer:
                self._authorizer.ready(scope)
            request = self._request(scope)
        except ResolutionError as error:
            return _Try("failed", None, Failure("resolution", str(error)))
        except AuthError as error:
            return _Try("failed", None, Failure(error.code, str(error)))
        except RequestError as error:
            return _Try("failed", None, Failure("request", str(error)))
        answer = self._tools.connections.exchange(request.origin, self._method, request.data)
        capture = self.step.get("capture", "full")
        reply = Reply(answer, request.data, capture, self._rules.judge)
        outcome = self._rules.classify(reply)
        return _Try(outcome, reply, reply.failure if outcome == "failed" else None)

    def _request(self, scope: Scope) -> ReadyRequest:
        block, base = self._block, self._tools.base
        if self.step["kind"] != "graphql":
            return make_request(block, call_body(block, scope), base, self._authorizer, scope)
        head = {"method": "POST", "url": block["url"], "headers": block.get("headers", {})}
        return make_request(head, graphql_body(block, scope), base, self._authorizer, scope)

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
            checks = self._checks.run(last.reply, scope)
        telling = self._checks.telling(checks)
        outcome = "failed" if last.outcome == "passed" and telling else last.outcome
        failure = (last.failure or telling) if outcome == "failed" else None
        attempts.append(_attempt(last._replace(outcome=outcome, failure=failure)))
        is_error = outcome == "throttled" and self._rules.throttle_is_error
        return StepResult(
            self.step["id"], outcome, is_error, tuple(attempts), tuple(checks), failure
        )


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
