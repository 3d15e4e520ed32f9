"""The keyword arguments of a run, for type checkers: one that is misspelt is found before it is run."""

from __future__ import annotations

from typing import Callable, Mapping, Optional, Sequence, TypedDict

from .blocks import FilePath, Seconds
from .engine import EngineCommand
from .iteration import Iteration
from .results import Progress
from .words import Arrivals, Contract, HttpVersion, Mode


class ConnectionOptions(TypedDict, total=False):
    """How connections are made, as `Flow.execute()` takes it."""

    cacert: Optional[FilePath]
    cert: Optional[FilePath]
    key: Optional[FilePath]
    insecure: bool
    http: Optional[HttpVersion]
    resolve: Sequence[str]
    proxy: Optional[str]


class _Common(ConnectionOptions, total=False):
    directory: Optional[FilePath]
    env: Optional[Mapping[str, str]]
    seed: int
    workers: Optional[int]


class RunOptions(_Common, total=False):
    """What `Flow.execute()` takes besides the target."""

    row: Optional[int]
    mode: Optional[Mode]
    vus: Optional[int]
    ramp: Optional[str]
    hold_s: Optional[Seconds]
    iterations: Optional[int]
    rate: Optional[str]
    rehearsal: bool
    thresholds: Sequence[str]
    stop_on_breach: bool
    until: Optional[str]
    arrivals: Optional[Arrivals]
    openapi: Optional[FilePath]
    contract: Optional[Contract]
    on_progress: Optional[Callable[[Progress], None]]
    on_iteration: Optional[Callable[[Iteration], None]]
    engine: Optional[EngineCommand]


class LoadOptions(_Common, total=False):
    """What a duel and a search of the capacity take besides their own arguments, as `Flow.run()` does."""

    store: Optional[FilePath]
