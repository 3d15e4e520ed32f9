"""A flow, built step by step; the engine reads it when it is first used."""

from __future__ import annotations

import inspect
import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .arguments import diagnostics_in_python, in_python
from .auth import AnyAuth
from .blocks import Block, FilePath, Seconds, built, mapped, plain
from .document import document_of
from .engine import EngineCommand, engine_for
from .errors import BenchWarning, Diagnostic
from .html import heading, table
from .iteration import Iteration, iteration_of
from .options import RunOptions
from .results import Progress, RunResult
from .several_runs import SeveralRuns
from .sites import checked, checked_with
from .steps import StepBuilders
from .target import AnyTarget, Target
from .words import Arrivals, Contract, Cookies, HttpVersion, Mode

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


class Runnable(SeveralRuns):
    """What a run is made of: a flow, or a mix of several."""

    _head: Block

    def _whole(self) -> Block:
        """Everything that was written."""
        raise NotImplementedError

    @property
    def made_at(self) -> Tuple[str, int]:
        """File and line of the call that made the flow."""
        site = self._head.site
        return (site.file, site.line) if site else ("", 1)

    @property
    def directory(self) -> str:
        """What fixture and proto paths are relative to: the folder of the Python file."""
        file, _ = self.made_at
        return os.path.dirname(os.path.abspath(file)) if os.path.isfile(file) else os.getcwd()

    def document(self, names: Optional[Mapping[str, str]] = None) -> Dict[str, Any]:
        """What was written, and where, as the engine reads it (docs/rpc.md).

        :param names: what files are called, by absolute path, where it is not their path
        """
        return document_of(self._whole(), names)

    def to_ir(self) -> Dict[str, Any]:
        """The flow's internal representation, as plain JSON data.

        :raises FlowError: with every error
        """
        ir: Dict[str, Any] = json.loads(self.to_json())
        return ir

    @checked
    def to_json(self, *, engine: Optional[EngineCommand] = None) -> bytes:
        """The canonical bytes (RFC 8785) that `bench compile` gives for the same flow.

        :raises FlowError: with every error
        """
        result = engine_for(engine).request("compile", self._parameters())
        return str(result["ir"]).encode("utf-8")

    @checked
    def validate(
        self,
        target: Optional[AnyTarget] = None,
        *,
        directory: Optional[FilePath] = None,
        env: Optional[Mapping[str, str]] = None,
        mode: Optional[Mode] = None,
        engine: Optional[EngineCommand] = None,
    ) -> Tuple[Diagnostic, ...]:
        """Every check there is before a run; sends nothing.

        :returns: errors and warnings, in file order; empty when there are none
        """
        params = self._parameters(directory, env=env, mode=mode, target=target)
        return diagnostics_in_python(engine_for(engine).request("validate", params))

    @checked_with(RunOptions)
    def run(self, target: AnyTarget, *, store: Optional[FilePath] = None, **options: Unpack[RunOptions]) -> RunResult:
        """The same as `execute()`, and writes a run directory.

        :param store: run store; BENCH_STORE, else `.bench/runs` when None
        :param options: what `execute()` takes
        """
        given = _EXECUTE.bind(self, target, **options)
        given.apply_defaults()
        return self._start(given.arguments, {} if store is None else {"store": store})

    @checked
    def execute(
        self,
        target: AnyTarget,
        *,
        directory: Optional[FilePath] = None,
        env: Optional[Mapping[str, str]] = None,
        row: Optional[int] = None,
        seed: int = 1,
        mode: Optional[Mode] = None,
        vus: Optional[int] = None,
        ramp: Optional[str] = None,
        hold_s: Optional[Seconds] = None,
        iterations: Optional[int] = None,
        rate: Optional[str] = None,
        workers: Optional[int] = None,
        rehearsal: bool = True,
        cacert: Optional[FilePath] = None,
        cert: Optional[FilePath] = None,
        key: Optional[FilePath] = None,
        insecure: bool = False,
        http: Optional[HttpVersion] = None,
        resolve: Sequence[str] = (),
        proxy: Optional[str] = None,
        thresholds: Sequence[str] = (),
        stop_on_breach: bool = False,
        until: Optional[str] = None,
        arrivals: Optional[Arrivals] = None,
        openapi: Optional[FilePath] = None,
        contract: Optional[Contract] = None,
        on_progress: Optional[Callable[[Progress], None]] = None,
        on_iteration: Optional[Callable[[Iteration], None]] = None,
        engine: Optional[EngineCommand] = None,
    ) -> RunResult:
        """Runs the flow and stores nothing; every kind of step, and every mode.

        What goes wrong in a run is in its result; `raise_for_failure()` makes it an error.
        Ctrl-C ends the run, and returns what it came to until then.

        :param target: a target's name, a path to a target file, a base URL, or a `Target`
        :param directory: what fixture and proto paths are relative to; this flow's folder when None
        :param env: where `{{ env.* }}` is looked up; the process environment when None
        :param row: 0-based fixture row to run alone; every row when None
        :param seed: of everything random
        :param mode: in place of the profile's
        :param vus: virtual users, in place of the profile's
        :param ramp: virtual users over time: `1 -> 50 over 30s`
        :param hold_s: seconds for which the load is held
        :param iterations: in all
        :param rate: requests offered in an open loop: `100/s`
        :param workers: threads of a load run; one a core when None
        :param rehearsal: a load run rehearses its steps in memory before it begins
        :param cacert: PEM file of authorities to trust besides the system's
        :param cert: PEM file of this side's certificate; needs `key`
        :param key: PEM file of its private key, without a password
        :param insecure: takes any certificate, and leaves a note in the result
        :param http: version of HTTP: `1.1`, `2`, or `auto`, which is None
        :param resolve: `host:port:address`, each: connects there instead of looking the host up
        :param proxy: HTTP proxy that every connection is tunnelled through
        :param thresholds: judge the run beside those of the profile: `login: p95(latency) < 200ms`
        :param stop_on_breach: ends a load run once a threshold is surely broken
        :param until: ends a load run once a percentile is so sure: `p99 within 5%`
        :param arrivals: of an open loop: `constant`, which is None, or `poisson`
        :param openapi: hold every response against this OpenAPI description
        :param contract: whether one that is not as described fails: `fail`, which is None, or `warn`
        :param on_progress: called about once a second
        :param on_iteration: called with each iteration, in integration and system modes
        :param engine: the `bench` program; see `find_engine`
        :raises FlowError: for what is wrong before the first request
        :raises EngineError: when the engine is missing, or ends
        """
        return self._start(locals(), {"store": None})

    def _start(self, given: Mapping[str, Any], more: Mapping[str, Any]) -> RunResult:
        """Runs with the arguments of `execute()`."""
        options = {name: value for name, value in given.items() if name != "self"}
        listeners = [options.pop(name) for name in ("on_progress", "on_iteration", "engine")]
        return run_request({**self._parameters(**options), **more}, *listeners)

    def _parameters(self, directory: Optional[FilePath] = None, **options: Any) -> Dict[str, Any]:
        where = self.directory if directory is None else os.path.abspath(directory)
        return request_parameters(flow={"document": self.document(), "directory": where}, **options)


_EXECUTE = inspect.signature(Runnable.execute)


class Flow(StepBuilders, Runnable):
    """A request flow. Its steps run in the order in which they are added.

    Builders only record what is written; the engine reads it when the flow is first
    used, and then reports every error at once, each at its line.
    """

    @checked
    def __init__(
        self,
        name: str,
        *,
        tags: Optional[Sequence[str]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        auth: Optional[AnyAuth] = None,
        data: Optional[FilePath] = None,
        pools: Optional[Sequence[Mapping[str, Any]]] = None,
        values: Optional[Mapping[str, Union[str, Mapping[str, Any]]]] = None,
        cookies: Optional[Cookies] = None,
    ) -> None:
        """
        :param name: a letter or `_`, then letters, digits, `_` and `-`
        :param tags: words to choose it by among several flows
        :param profile: `profile(...)`; integration mode with one VU when None
        :param auth: auth of every request-making step without its own
        :param data: fixture file, relative to this one; rows are `{{ user.* }}`
        :param pools: named pools, beside `data` or instead of it
        :param values: variables that are drawn anew for each iteration, by name; see `draw`
        :param cookies: how long cookies that responses set are kept: `iteration` or `vu`; not at all when None
        """
        self.name = name
        head: Block = built(Block, locals())
        head["flow"] = head.pop("name", name)
        head.origins = {**head.origins, "/flow": "name"}
        self._begin(head)

    @classmethod
    @checked
    def from_dict(cls, flow: Mapping[str, Any]) -> Flow:
        """A flow from a mapping with the keys of a flow file."""
        made = cls.__new__(cls)
        head = mapped(flow, "flow")
        made.name = str(head.get("flow", ""))
        made._begin(head)
        return made

    def _begin(self, head: Block) -> None:
        StepBuilders.__init__(self)
        self._head = head
        #: Steps that are carried out once, before the first iteration: `flow.setup.call(...)`.
        self.setup = StepBuilders()
        #: The same, after the last iteration, however the run ended.
        self.teardown = StepBuilders()

    def _whole(self) -> Block:
        whole = Block(self._head)
        whole.site, whole.origins = self._head.site, self._head.origins
        lists = {"setup": self.setup, "steps": self, "teardown": self.teardown}
        for key, added in lists.items():
            before = whole.get(key, [])
            # The engine says what is wrong with anything but a list.
            if isinstance(before, list) and (added._steps or key == "steps"):
                whole[key] = [*before, *added._steps]
        return whole

    def _listed(self) -> List[Tuple[str, str]]:
        """Id and action of each step."""
        steps = self.document()["value"].get("steps")
        actions = ("call", "poll", "wait", "graphql", "ws", "grpc")
        return [
            (str(each.get("id", "")), next((key for key in actions if key in each), ""))
            for each in (steps if isinstance(steps, list) else ())
            if isinstance(each, dict)
        ]

    def __repr__(self) -> str:
        steps = len(self._listed())
        return f"<Flow {self.name}: {steps} {'step' if steps == 1 else 'steps'}>"

    def _repr_html_(self) -> str:
        return heading(f"Flow {self.name}") + table(("step", "action"), self._listed())

    @checked
    def rows(
        self, directory: Optional[FilePath] = None, *, engine: Optional[EngineCommand] = None
    ) -> List[Dict[str, str]]:
        """The fixture's rows as text by column; empty without a fixture.

        :raises FlowError: for a fixture file that is missing or wrong
        """
        result = engine_for(engine).request("rows", self._parameters(directory))
        return list(result["rows"] or ())


def request_parameters(env: Optional[Mapping[str, str]] = None, **options: Any) -> Dict[str, Any]:
    """The parameters of a request; options that are None are left out."""
    return {
        "env": plain(os.environ if env is None else env, "env"),
        "cwd": os.getcwd(),
        **{
            name: value.parameter if isinstance(value, Target) else value
            for name, value in options.items()
            if value is not None
        },
    }


def run_request(
    params: Dict[str, Any],
    on_progress: Optional[Callable[[Progress], None]] = None,
    on_iteration: Optional[Callable[[Iteration], None]] = None,
    engine: Optional[EngineCommand] = None,
) -> RunResult:
    """Has the engine run a flow."""
    iterations: List[Iteration] = []

    def listen(method: str, message: Mapping[str, Any]) -> None:
        if method == "iteration":
            iterations.append(iteration_of(message))
            if on_iteration:
                on_iteration(iterations[-1])
        elif method == "progress" and on_progress:
            on_progress(Progress(**message))
        elif method == "diagnostics":
            warnings.warn(in_python(message["text"].rstrip("\n")), BenchWarning, stacklevel=8)

    params["stream"] = True
    result = engine_for(engine).request("run", params, listen)
    iterations.sort(key=lambda each: each.number)
    if result["directory"] is not None:
        result["directory"] = os.path.join(params["cwd"], result["directory"])
    return RunResult(result, iterations)
