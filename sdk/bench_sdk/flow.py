"""A flow, built step by step."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from .auth.read import read_auth
from .check.assertions import check_assertions
from .check.headers import check_headers
from .check.names import KnownNames
from .check.references import check_references
from .check.secrets import check_auth
from .errors import FlowError
from .keywords import known_keywords
from .kinds.registry import KINDS
from .read.flow import FLOW_KEYS, pool_names, read_flow_name, refuse_version
from .read.mapping import read_mapping
from .read.pools import read_data
from .read.profile import read_profile
from .read.scalars import read_choice
from .read.step import CAPTURES, read_step
from .steps import StepBuilders
from .values.canonical import canonical
from .values.json import JsonObject, describe, is_list

if TYPE_CHECKING:
    from .builders import Pool
    from .run.binary import RunResult
    from .run.execution import Execution
    from .run.target import Target

#: Where a file or folder is.
FilePath = Union[str, "os.PathLike[str]"]
IR_VERSION = 1
MAX_STEPS = 1_000


class Flow(StepBuilders):
    """A request flow.

    Steps are added in order; each is checked against all before it as it is
    added, so that a mistake raises at the line that makes it.
    """

    @known_keywords
    def __init__(
        self,
        name: str,
        *,
        profile: Optional[Mapping[str, Any]] = None,
        auth: Optional[Mapping[str, Any]] = None,
        data: Optional[str] = None,
        pools: Sequence[Pool] = (),
    ) -> None:
        """
        :param name: a letter or `_`, then letters, digits, `_` and `-`
        :param profile: `profile(...)`; integration mode with one VU when None
        :param auth: auth of every request-making step without its own
        :param data: fixture file, relative to the flow file; rows are `{{ user.* }}`
        :param pools: named pools, beside `data` or instead of it
        :raises FlowError: for the first mistake
        """
        self.name = read_flow_name(name)
        self._profile = read_profile({} if profile is None else profile)
        self._auth = None if auth is None else read_auth(auth)
        self._pools = [*([] if data is None else [read_data(data)]), *map(dict, pools)]
        self._names = KnownNames(pool_names(self._pools))
        self._steps: List[JsonObject] = []

    @classmethod
    def from_dict(cls, flow: Mapping[str, Any]) -> Flow:
        """A flow from a mapping with the keys of a flow file.

        :raises FlowError: for the first mistake
        """
        fields = read_mapping(flow, FLOW_KEYS, "the flow file", refuse_version)
        made = cls(fields["flow"])
        if "profile" in fields:
            made._profile = read_profile(fields["profile"])
        if "auth" in fields:
            made._auth = read_auth(fields["auth"])
        if "data" in fields:
            made._pools = [read_data(fields["data"])]
            made._names = KnownNames(["user"])
        steps = fields["steps"]
        if not is_list(steps):
            raise FlowError(
                "wrong-type",
                f"`steps` must be a list, but it is {describe(steps)}",
                "start each step with `- id: <name>`",
            )
        for step in steps:
            made.step(step)
        made.to_ir()
        return made

    def step(self, step: Mapping[str, Any], *, capture: Optional[str] = None) -> None:
        """Adds a step given as a mapping with the keys of a flow file.

        :param capture: how much a kept trace holds: `full`, `headers` or `none`
        :raises FlowError: for the first mistake
        """
        index = len(self._steps)
        if index >= MAX_STEPS:
            raise FlowError(
                "too-many-steps",
                f"a flow has at most {MAX_STEPS} steps, but this one has {index + 1}",
                "split it into several flows",
            )
        read = read_step(step, index, self._auth)
        if capture is not None:
            read["capture"] = read_choice(capture, "`capture`", CAPTURES)
        self._check(read)
        self._steps.append(read)
        self._names.add(read, index)

    def to_ir(self) -> Dict[str, Any]:
        """The flow's internal representation, as plain JSON data.

        :raises FlowError: `no-steps`
        """
        if not self._steps:
            raise FlowError("no-steps", "a flow needs at least one step")
        ir: Dict[str, Any] = {
            "ir": IR_VERSION,
            "flow": self.name,
            "steps": self._steps,
            "profile": self._profile,
        }
        if self._pools:
            ir["pools"] = self._pools
        return ir

    def to_json(self) -> bytes:
        """The canonical bytes (RFC 8785) that `bench compile` gives for the same flow.

        :raises FlowError: `no-steps`
        """
        return canonical(self.to_ir()).encode("utf-8")

    @known_keywords
    def run(
        self,
        target: Union[str, Target],
        *,
        seed: int = 1,
        store: Optional[FilePath] = None,
        bench: Union[str, Sequence[str], None] = None,
        directory: Optional[FilePath] = None,
        args: Sequence[str] = (),
    ) -> RunResult:
        """Runs the flow with the `bench` command.

        :param target: a target's name, a path to a target file, a base URL, or a `Target`
        :param store: run store; `bench`'s own default when None
        :param bench: the command; `$BENCH`, else `bench` on PATH when None
        :param directory: what fixture and proto paths are relative to
        :param args: more arguments of `bench run`, such as `["--insecure"]`
        :returns: `meta.json` of the run, typed
        :raises MissingBenchError: when there is no such command
        :raises RunError: when nothing was sent, or the run could not finish
        """
        from .run.binary import run_flow

        return run_flow(self, target, seed, store, bench, directory, args)

    @known_keywords
    def execute(
        self,
        target: Union[str, Target],
        *,
        directory: Optional[FilePath] = None,
        env: Optional[Mapping[str, str]] = None,
        row: Optional[int] = None,
        cacert: Optional[FilePath] = None,
        cert: Optional[FilePath] = None,
        key: Optional[FilePath] = None,
        insecure: bool = False,
    ) -> Execution:
        """Runs the flow in this process: integration and system modes, without ws and grpc.

        :param target: a base URL, a path to a target file, or a `Target`
        :param directory: what fixture paths are relative to; the current one when None
        :param env: where `{{ env.* }}` is looked up; the process environment when None
        :param row: 0-based fixture row to run alone; every row when None
        :param cacert: PEM file of authorities to trust besides the system's
        :param cert: PEM file of this side's certificate; needs `key`
        :param key: PEM file of its private key, without a password
        :param insecure: takes any certificate; warns, and leaves a note in the result
        :returns: one iteration a fixture row, or one
        :raises NeedsRunError: for what only `run()` can do
        :raises FlowError: for what is wrong before the first request
        """
        from .run.execute import execute_flow
        from .wire.secure import TlsOptions

        if insecure:
            warnings.warn(
                "insecure: certificates are NOT verified; anybody can answer in the target's place",
                # Behind `known_keywords`.
                stacklevel=3,
            )
        tls = TlsOptions(cacert, cert, key, insecure)
        return execute_flow(self, target, directory, env, row=row, tls=tls)

    def rows(
        self, directory: Optional[FilePath] = None
    ) -> List[Dict[str, str]]:
        """The fixture's rows as text by column; empty without a fixture.

        :raises InputError: for a fixture file that is missing or wrong
        """
        from .run.preflight import read_fixtures

        fixtures = list(read_fixtures(self.to_ir(), directory).values())
        if not fixtures:
            return []
        return [{name: cell.text for name, cell in row.items()} for row in fixtures[0].rows]

    def _check(self, step: JsonObject) -> None:
        for index, other in enumerate(self._steps):
            if other["id"] == step["id"]:
                raise FlowError(
                    "duplicate-id",
                    f"the id `{step['id']}` is taken by step {index + 1}",
                    "give every step an id of its own",
                )
        kind = KINDS[step["kind"]]
        kind.check(step, [each for each in self._steps if each["kind"] == kind.name])
        check_auth(step, self._names)
        check_headers(step)
        check_references(step, self._names)
        check_assertions(step, self._names)
