"""What is asked about runs that are stored."""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional, Sequence

from .engine import engine_for
from .find import EngineCommand
from .measures import Comparison
from .target import FilePath


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

    :param run: a run id of the store, or the path of a run directory
    :param with_: the runs to compare with, likewise
    :param margin: smaller changes do not count, as a share
    :param across_targets: the runs may be against different targets
    :param store: run store; BENCH_STORE, else `.bench/runs` when None
    :param engine: the `bench` program; see `find_engine`
    :raises EngineError: for runs that cannot be compared
    """
    params: Dict[str, Any] = {
        "run": os.fspath(run),
        "with": [os.fspath(each) for each in with_],
        "margin": margin,
        "across_targets": across_targets,
    }
    return Comparison(_ask("compare", params, store, engine))


def replay(
    run: FilePath,
    trace: Optional[str] = None,
    *,
    target: Optional[str] = None,
    store: Optional[FilePath] = None,
    env: Optional[Mapping[str, str]] = None,
    engine: Optional[EngineCommand] = None,
) -> Dict[str, Any]:
    """Carries one stored iteration out once more.

    :param run: a run id of the store, or the path of a run directory
    :param trace: its id, or the beginning of it; the first that did not pass when None
    :param target: another target than the run's
    :param store: run store; BENCH_STORE, else `.bench/runs` when None
    :param env: where `{{ env.* }}` is looked up; the process environment when None
    :param engine: the `bench` program; see `find_engine`
    :returns: the traces `before` and `after`, `difference` where they part, and `meta`
    :raises EngineError: when there is no such iteration
    """
    params: Dict[str, Any] = {
        "run": os.fspath(run),
        "env": dict(os.environ if env is None else env),
    }
    if trace is not None:
        params["trace"] = trace
    if target is not None:
        params["target"] = target
    return _ask("replay", params, store, engine)


def merge(
    runs: Sequence[FilePath],
    *,
    tolerate_lost: int = 0,
    store: Optional[FilePath] = None,
    engine: Optional[EngineCommand] = None,
) -> Dict[str, Any]:
    """Joins the run directories of shards that ran on without their lead into one run.

    :param runs: paths of run directories, or run ids of the store
    :param tolerate_lost: how many shards may be missing or lost
    :param store: where the new run goes; BENCH_STORE, else `.bench/runs` when None
    :param engine: the `bench` program; see `find_engine`
    :returns: `meta` of the new run and its `directory`
    :raises EngineError: when they are not the shards of one run, or damaged
    """
    params: Dict[str, Any] = {
        "runs": [os.fspath(each) for each in runs],
        "tolerate_lost": tolerate_lost,
    }
    return _ask("merge", params, store, engine)


def _ask(
    method: str,
    params: Dict[str, Any],
    store: Optional[FilePath],
    engine: Optional[EngineCommand],
) -> Dict[str, Any]:
    params["cwd"] = os.getcwd()
    if store is not None:
        params["store"] = os.fspath(store)
    return dict(engine_for(engine).request(method, params))
