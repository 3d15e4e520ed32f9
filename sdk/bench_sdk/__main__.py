"""`python -m bench_sdk compile flow.py`: the canonical IR on standard output."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from typing import List, Optional

from .errors import BenchError
from .load import FlowFileError, load_flow
from .version import VERSION


def main(argv: Optional[List[str]] = None) -> int:
    """Returns the exit code: 0, or 2 when the flow has a mistake."""
    parser = argparse.ArgumentParser(
        prog="python -m bench_sdk",
        description="Flows written with bench_sdk. `bench run flow.py` compiles by itself.",
    )
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(dest="command", required=True)
    compile_ = commands.add_parser("compile", help="print the canonical IR, no newline added")
    compile_.add_argument("file", help="a Python file with one Flow, or with one called `flow`")
    compile_.add_argument(
        "--diagnostics",
        choices=["text", "json"],
        default="text",
        help="mistakes as text on standard error (default), or as JSON on standard output",
    )
    options = parser.parse_args(argv)
    try:
        # Standard output is the IR's alone: what the file prints goes elsewhere.
        with contextlib.redirect_stdout(sys.stderr):
            data = load_flow(options.file).to_json()
        return _print(data)
    except FlowFileError as error:
        fault = error
    except BenchError as error:
        fault = FlowFileError(options.file, None, "", error)
    if options.diagnostics == "json":
        print(json.dumps([fault.diagnostic], ensure_ascii=True))
    else:
        print(fault, file=sys.stderr)
    return 2


def _print(data: bytes) -> int:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    except BrokenPipeError:
        # Nobody reads: Python must not find that out again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
