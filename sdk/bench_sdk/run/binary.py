"""`Flow.run()`: the `bench` command on a flow's IR."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ..errors import MissingBenchError, RunError
from .target import Target, is_path, is_url, target_of

if TYPE_CHECKING:
    from ..flow import Flow


class ThresholdResult(NamedTuple):
    """One threshold and its verdict; `actual` in milliseconds for latencies."""

    expression: str
    actual: Optional[float]
    passed: bool
    samples: int


class RunResult(NamedTuple):
    """A run, from its `meta.json`. Durations in milliseconds, rates from 0 to 1.

    :ivar verdict: `pass` or `fail`
    :ivar status: `finished`, `aborted`, `interrupted` or `errored`
    :ivar latency: `min`, `avg`, `p50`, `p90`, `p95`, `p99`, `max`
    :ivar meta: the whole of `meta.json`
    """

    id: str
    status: str
    verdict: str
    exit_code: int
    requests: int
    error_rate: float
    throttle_rate: float
    duration_ms: float
    iterations: Dict[str, int]
    latency: Dict[str, float]
    thresholds: Tuple[ThresholdResult, ...]
    failures: Tuple[Dict[str, Any], ...]
    meta: Dict[str, Any]

    @property
    def passed(self) -> bool:
        """Every threshold held, and nothing else failed the run."""
        return self.verdict == "pass"


def run_flow(
    flow: Flow,
    target: Union[str, Target],
    seed: int,
    store: Union[str, os.PathLike[str], None],
    bench: Union[str, Sequence[str], None],
    directory: Union[str, os.PathLike[str], None],
    args: Sequence[str],
) -> RunResult:
    """Hands the IR to `bench run -` and reads what it prints.

    :raises MissingBenchError: when there is no `bench`
    :raises RunError: when nothing was sent, or the run could not finish
    """
    start, named = find_bench(bench)
    command = [*start, "run", "-", "--json", "--quiet", "--seed", str(seed)]
    if store is not None:
        command += ["--store", os.path.abspath(store)]
    with tempfile.TemporaryDirectory(prefix="bench-sdk-") as folder:
        command += ["--target", _target_place(target, folder), *args]
        try:
            done = subprocess.run(
                command, input=flow.to_json(), capture_output=True, cwd=directory, check=False
            )
        except OSError as error:
            raise missing_bench(f"cannot start `{command[0]}` ({named}): {error.strerror}") from None
    return read_result(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def _target_place(target: Union[str, Target], folder: str) -> str:
    """A name, or the path of a target file: of one in `folder` when there was none."""
    if isinstance(target, str):
        if is_path(target):
            # The command starts in `directory`; a path is relative to where we are.
            return os.path.abspath(target)
        if not is_url(target):
            return target
    place = os.path.join(folder, "target.yaml")
    with open(place, "w", encoding="utf-8") as file:
        file.write(target_of(target).to_text())
    return place


def find_bench(bench: Union[str, Sequence[str], None]) -> Tuple[List[str], str]:
    """The command, as given, else `$BENCH`, else `bench` on PATH; and which of them it is.

    :raises MissingBenchError: when there is none
    """
    if bench:
        return (shlex.split(bench) if isinstance(bench, str) else list(bench)), "`bench=`"
    named = os.environ.get("BENCH", "")
    try:
        words = shlex.split(named)
    except ValueError as error:
        raise missing_bench(f"$BENCH cannot be read as a command: {error}") from None
    if words:
        return words, "from $BENCH"
    found = shutil.which("bench")
    if found is None:
        path = os.environ.get("PATH", "")
        raise missing_bench(
            f"there is no `bench` command: $BENCH is not set, and no folder of PATH has one ({path})"
        )
    return [found], "on PATH"


def missing_bench(why: str) -> MissingBenchError:
    """The error that says how to get the command."""
    return MissingBenchError(
        "no-bench",
        why,
        "put the `bench` binary on PATH, or name the command in $BENCH, "
        'such as BENCH="deno run -A <checkout>/main.ts"; execute() needs no binary',
    )


def read_result(code: int, out: bytes, err: str) -> RunResult:
    """Reads what `bench run --json` printed.

    :raises RunError: for an exit code that is no verdict
    """
    if code not in (0, 1) and not out.strip():
        raise RunError("run", err.strip() or f"bench ended with exit code {code}", code)
    try:
        meta: Dict[str, Any] = json.loads(out)
    except ValueError:
        raise RunError("run", err.strip() or "bench printed no meta.json", code) from None
    return RunResult(
        id=meta["id"],
        status=meta["status"],
        verdict=meta.get("verdict") or "fail",
        exit_code=code,
        requests=meta.get("requests", 0),
        error_rate=meta.get("error_rate", 0.0),
        throttle_rate=meta.get("throttle_rate", 0.0),
        duration_ms=meta.get("duration_ms", 0.0),
        iterations=dict(meta.get("iterations") or {}),
        latency=dict(meta.get("latency") or {}),
        thresholds=tuple(_threshold(each) for each in meta.get("thresholds") or ()),
        failures=tuple(meta.get("failures") or ()),
        meta=meta,
    )


def _threshold(each: Dict[str, Any]) -> ThresholdResult:
    return ThresholdResult(
        each["expression"], each.get("actual"), each["pass"], each.get("samples", 0)
    )
