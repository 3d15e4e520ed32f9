"""What is asked about runs that are stored."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence

from .blocks import FilePath
from .engine import EngineCommand, engine_for
from .errors import EngineError
from .flow import request_parameters
from .measures import Comparison, Series
from .options import ConnectionOptions
from .sites import checked, checked_with
from .target import AnyTarget

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


@checked
def compare(
    run: FilePath,
    with_: Sequence[FilePath],
    *,
    margin: float = 0.05,
    across_targets: bool = False,
    store: Optional[FilePath] = None,
    engine: Optional[EngineCommand] = None,
) -> Comparison:
    """Says whether a stored load run is better or worse than others.

    :param run: a result of `flow.run()`, a run id of the store, `latest`, or the path of a run directory
    :param with_: the runs to compare with, likewise
    :param margin: smaller changes do not count, as a share
    :param across_targets: the runs may be against different targets
    :param store: run store; BENCH_STORE, else `.bench/runs` when None
    :param engine: the `bench` program; see `find_engine`
    :raises EngineError: for runs that cannot be compared
    """
    params = request_parameters(run=run, margin=margin, across_targets=across_targets, store=store)
    return Comparison(engine_for(engine).request("compare", {**params, "with": with_}))


@checked
def series(
    run: FilePath,
    *,
    store: Optional[FilePath] = None,
    engine: Optional[EngineCommand] = None,
) -> Series:
    """Reads a stored run second by second.

    :param run: a result of `flow.run()`, a run id of the store, `latest`, or the path of a run directory
    :param store: run store; BENCH_STORE, else `.bench/runs` when None
    :param engine: the `bench` program; see `find_engine`
    :raises EngineError: when there is no such run, or none that has ended
    """
    found = engine_for(engine).request("report", request_parameters(run=run, store=store))
    path = os.path.join(found["directory"], "series.json")
    try:
        with open(path, encoding="utf-8") as file:
            return Series(json.load(file))
    except FileNotFoundError:
        raise EngineError(f"the run `{run}` has no series yet: there is no {path}") from None


@checked_with(ConnectionOptions)
def replay(
    run: FilePath,
    trace: Optional[str] = None,
    *,
    target: Optional[AnyTarget] = None,
    store: Optional[FilePath] = None,
    env: Optional[Mapping[str, str]] = None,
    engine: Optional[EngineCommand] = None,
    **connection: Unpack[ConnectionOptions],
) -> Dict[str, Any]:
    """Carries one stored iteration out once more.

    :param run: a result of `flow.run()`, a run id of the store, `latest`, or the path of a run directory
    :param trace: its id, or the beginning of it; the first that did not pass when None
    :param target: another than the run's: its name, a path to a target file, a base URL, or a `Target`
    :param store: run store; BENCH_STORE, else `.bench/runs` when None
    :param env: where `{{ env.* }}` is looked up; the process environment when None
    :param engine: the `bench` program; see `find_engine`
    :param connection: how connections are made, as `Flow.execute()` takes it
    :returns: the id of the `run`, the traces `before` and `after`, `difference` where they part, and `meta`
    :raises EngineError: when there is no such iteration
    """
    params = request_parameters(env, run=run, trace=trace, target=target, store=store, **connection)
    return dict(engine_for(engine).request("replay", params))


@checked
def merge(
    runs: Sequence[FilePath],
    *,
    tolerate_lost: int = 0,
    store: Optional[FilePath] = None,
    engine: Optional[EngineCommand] = None,
) -> Dict[str, Any]:
    """Joins the run directories of shards that ran on without their lead into one run.

    :param runs: results, paths of run directories, or run ids of the store
    :param tolerate_lost: how many shards may be missing or lost
    :param store: where the new run goes; BENCH_STORE, else `.bench/runs` when None
    :param engine: the `bench` program; see `find_engine`
    :returns: `meta` of the new run and its `directory`
    :raises EngineError: when they are not the shards of one run, or damaged
    """
    params = request_parameters(runs=runs, tolerate_lost=tolerate_lost, store=store)
    return dict(engine_for(engine).request("merge", params))
