"""`Flow.execute()`: the rows executor in this process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Tuple, Union

from ..auth.auth_error import AuthError
from ..auth.authorizer import Authorizer
from ..auth.tokens import Tokens
from ..data.fixture import Fixture, Row
from ..errors import FlowError
from ..wire.allow_list import AllowList
from ..wire.clock import Clock
from ..wire.connections import Connections
from ..wire.dial import Dialer
from ..wire.request_head import RequestError
from ..wire.secure import UNVERIFIED, Secure, TlsOptions
from ..wire.url import BaseUrl, parse_base_url
from .execution import Execution, Iteration, StepResult
from .possible import check_possible
from .preflight import check_columns, check_hosts, check_target, read_environment, read_fixtures
from .rate_gate import RateGate
from .redact import redact
from .scope import Scope
from .secrets import Secrets
from .step import StepRunner, Tools
from .target import Target, target_of
from .token_post import token_post

if TYPE_CHECKING:
    from ..flow import Flow


def execute_flow(
    flow: Flow,
    target: Union[str, Target],
    directory: Union[str, os.PathLike[str], None],
    env: Optional[Mapping[str, str]],
    clock: Optional[Clock] = None,
    row: Optional[int] = None,
    tls: TlsOptions = TlsOptions(),
) -> Execution:
    """Every check before the first request, then the flow once a fixture row.

    :param clock: real time when None
    :param row: the one fixture row to run; every row when None
    :param tls: certificates besides the system's
    :raises NeedsRunError: for modes and steps that only `run()` can do
    :raises FlowError: for what is wrong before the first request
    """
    ir = flow.to_ir()
    check_possible(ir)
    goal = target_of(target)
    bases = [parse_base_url(url) for url in goal.base_urls]
    allowed = AllowList(bases)
    check_hosts(ir, bases[0], allowed)
    check_target(ir, goal)
    values = read_environment(ir, os.environ if env is None else env)
    fixtures = read_fixtures(ir, directory)
    check_columns(ir, fixtures)
    secure = Secure(tls)
    secrets = Secrets()
    for value in values.values():
        secrets.register(value)
    run = _Run(
        ir, goal, bases[0], Dialer(allowed, secure), values, fixtures, secrets, clock or Clock()
    )
    try:
        execution = run.carry_out(row)
        return execution._replace(notes=(UNVERIFIED,)) if tls.insecure else execution
    finally:
        run.connections.close()


class _Run:
    """One execution: one virtual user, the rows in order."""

    def __init__(
        self,
        ir: Mapping[str, Any],
        target: Target,
        base: BaseUrl,
        dialer: Dialer,
        env: Mapping[str, str],
        fixtures: Mapping[str, Fixture],
        secrets: Secrets,
        clock: Clock,
    ) -> None:
        self._ir = ir
        self._env = env
        self._fixtures = fixtures
        self._secrets = secrets
        timeout_ms = target.request_timeout_us / 1_000

        def connect() -> Connections:
            return Connections(dialer, clock, timeout_ms)

        self.connections = connect()
        gate = RateGate(target.max_rps, clock)
        tokens = Tokens(token_post(base, gate, connect), clock, secrets.register)
        tools = Tools(base, self.connections, gate, clock, ir["profile"]["mode"])
        self._steps: List[StepRunner] = []
        for index, step in enumerate(ir["steps"]):
            try:
                authorizer = None
                if "auth" in step:
                    authorizer = Authorizer(step["auth"], env, clock, secrets.register, tokens)
                runner = StepRunner(step, index, authorizer, tools)
                runner.check(env)
            except (AuthError, RequestError) as error:
                # It may quote a URL that an environment variable is part of.
                raise FlowError("unusable-step", secrets.scrub(str(error))) from None
            self._steps.append(runner)

    def carry_out(self, only: Optional[int]) -> Execution:
        iterations: List[Iteration] = []
        reason: Optional[str] = None
        pools = self._ir.get("pools", [])
        first = self._fixtures[pools[0]["name"]] if pools else None
        count = len(first.rows) if first else 1
        if only is not None and not 0 <= only < count:
            raise FlowError("no-row", f"there is no row {only}: rows go from 0 to {count - 1}")
        for number in range(count) if only is None else [only]:
            rows = {pool["name"]: self._row(pool, number) for pool in pools}
            dry = (pool for pool in pools if rows[pool["name"]] is None)
            if any(pool["on_exhausted"] == "stop" for pool in dry):
                break
            iteration, reason = self._iteration(number if first else None, rows)
            iterations.append(iteration)
            if reason:
                break
        return Execution(self._ir["flow"], tuple(iterations), reason)

    def _row(self, pool: Mapping[str, Any], number: int) -> Optional[Row]:
        rows = self._fixtures[pool["name"]].rows
        again = pool["distribution"] != "unique-per-vu" or pool["on_exhausted"] == "cycle"
        if again:
            return rows[number % len(rows)]
        return rows[number] if number < len(rows) else None

    def _iteration(
        self, row: Optional[int], rows: Mapping[str, Optional[Row]]
    ) -> Tuple[Iteration, Optional[str]]:
        scope = Scope(self._env, {}, rows)
        results: List[StepResult] = []
        failed = throttled = False
        reason: Optional[str] = None
        for runner in self._steps:
            result = runner.run(scope)
            results.append(redact(result, self._secrets))
            is_failure = result.outcome == "failed" or result.throttle_is_error
            failed = failed or is_failure
            throttled = throttled or result.outcome == "throttled"
            on_failure = runner.step["on_failure"]
            if result.outcome == "passed" or on_failure == "record":
                continue
            if is_failure and on_failure == "abort_run":
                reason = f"step `{runner.step['id']}` did not pass"
            break
        return Iteration(row, failed, throttled, tuple(results)), reason
