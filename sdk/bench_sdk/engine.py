"""The engine of this process: found, started by the first request, ended with Python."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import EngineError
from .process import Listener, Process
from .version import VERSION

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True

HERE = os.path.dirname(os.path.abspath(__file__))
#: The runtime of a checkout, where none is installed.
NPX_DENO = "deno@2.9.6"

#: A path to the program, or the words that start it.
EngineCommand = Union[str, "os.PathLike[str]", Sequence[str]]

#: Version of the messages this package speaks.
PROTOCOL = 1
#: Seconds until the first response of an engine; npx may have to fetch it.
START_TIMEOUT = 120


class Engine:
    """One engine process; started by the first request, and anew after it ended."""

    def __init__(self, command: Tuple[str, ...]) -> None:
        self.command = command
        self._process: Optional[Process] = None
        self._lock = threading.Lock()
        self._owner: Optional[int] = None

    def request(
        self, method: str, params: Mapping[str, Any], listen: Optional[Listener] = None
    ) -> Any:
        """Sends a request, and returns the result of its response.

        Ctrl-C cancels what was asked: the first time a run ends softly and its results are
        the result, the second time at once, the third time the engine is ended.

        :param listen: called for each notification until then
        :raises FlowError: for a flow or target that is refused
        :raises EngineError: when there is no response
        """
        if self._owner == threading.get_ident():
            raise EngineError("a callback of a run cannot start another one", "return from it first")
        with self._lock:
            self._owner = threading.get_ident()
            try:
                result = self._started().ask(method, params, listen)
                if isinstance(result, dict) and (result.get("meta") or {}).get("status") == "interrupted":
                    # A signal may have been for the engine, which ends then.
                    self._drop()
                return result
            except (EngineError, KeyboardInterrupt):
                self._drop()
                raise
            finally:
                self._owner = None

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _started(self) -> Process:
        process = self._process
        if process is not None and process.ended:
            self.close()
            process = None
        if process is None:
            process = self._process = Process(self.command)
            hello = process.ask("initialize", {"client": f"bench_sdk {VERSION}"}, None, START_TIMEOUT)
            if hello.get("protocol") != PROTOCOL:
                self._drop()
                raise EngineError(
                    f"bench {hello.get('version')} speaks protocol {hello.get('protocol')}, "
                    f"but bench_sdk {VERSION} speaks {PROTOCOL}",
                    "install the same version of both",
                )
        return process

    def _drop(self) -> None:
        """Ends a process that is of no more use; one that only refused stays."""
        if self._process is not None and self._process.broken:
            self._process.kill()
            self._process = None


def find_engine(engine: Optional[EngineCommand] = None) -> Tuple[str, ...]:
    """The words that start the engine.

    It is what `engine` says; else BENCH_BIN; the program inside this package; `bench` on
    PATH; the checkout this package lies in.

    :raises EngineError: when there is none
    """
    if engine is not None:
        words = (os.fspath(engine),) if isinstance(engine, (str, os.PathLike)) else tuple(engine)
        if not words or not words[0]:
            raise EngineError(
                f"`engine` names no program, but it is {engine!r}",
                "leave it out, or give the words that start bench",
            )
        return words
    named = os.environ.get("BENCH_BIN")
    if named:
        return (named,)
    carried = os.path.join(HERE, "bin", "bench.exe" if sys.platform == "win32" else "bench")
    if os.path.isfile(carried):
        return (carried,)
    found = shutil.which("bench")
    if found:
        return (found,)
    checkout = _checkout()
    if checkout:
        return tuple(checkout)
    raise EngineError(
        "there is no bench program: BENCH_BIN is not set, this package carries none, and no "
        f"folder of PATH has one ({os.environ.get('PATH', '')})",
        "install a wheel of bench-sdk that carries it, put `bench` on PATH, or set BENCH_BIN to it",
    )


def _checkout() -> Optional[List[str]]:
    main = os.path.join(os.path.dirname(os.path.dirname(HERE)), "main.ts")
    deno, npx = shutil.which("deno"), shutil.which("npx")
    start = [deno] if deno else [npx, "-y", NPX_DENO] if npx else None
    if start is None or not os.path.isfile(main):
        return None
    return [*start, "run", "-A", "--quiet", "--v8-flags=--heap-growing-percent=40,--min-semi-space-size=4,--max-semi-space-size=4,--no-incremental-marking,--no-allocation-site-pretenuring,--no-maglev-destroy-on-background,--invocation-count-for-turbofan=50000,--expose-gc", main]


_engines: Dict[Tuple[str, ...], Engine] = {}
#: Those of a parent process, which must not be ended here.
_inherited: List[Engine] = []


def engine_for(engine: Optional[EngineCommand] = None) -> Engine:
    """The one engine of this process that is started by these words."""
    command = find_engine(engine)
    if command not in _engines:
        _engines[command] = Engine(command)
    return _engines[command]


@atexit.register
def _end_all() -> None:
    for each in _engines.values():
        each.close()


def _forget_all() -> None:
    """A forked child has the pipes of its parent, and must not keep them open."""
    for each in _engines.values():
        if each._process is not None:
            each._process.abandon()
    _inherited.extend(_engines.values())
    _engines.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
