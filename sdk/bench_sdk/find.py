"""Finding the engine: the `bench` program this package is a client of."""

from __future__ import annotations

import os
import shutil
import sys
from typing import List, Optional, Sequence, Tuple, Union

from .errors import EngineError

HERE = os.path.dirname(os.path.abspath(__file__))
#: The runtime of a checkout, where none is installed.
NPX_DENO = "deno@2.9.6"

#: A path to the program, or the words that start it.
EngineCommand = Union[str, "os.PathLike[str]", Sequence[str]]


def find_engine(engine: Optional[EngineCommand] = None) -> Tuple[str, ...]:
    """The words that start the engine.

    It is what `engine` says; else BENCH_BIN; the program inside this package; `bench` on
    PATH; the checkout this package lies in.

    :raises EngineError: when there is none
    """
    if engine is not None:
        return (os.fspath(engine),) if isinstance(engine, (str, os.PathLike)) else tuple(engine)
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
    return [*start, "run", "-A", "--quiet", "--v8-flags=--heap-growing-percent=20,--no-incremental-marking", main]
