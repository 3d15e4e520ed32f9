"""`python -m bench_sdk compile flow.py`: the canonical IR on standard output."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from typing import Any, Dict, List, Optional

from .errors import BenchError
from .load import LoadError, load_flow
from .version import VERSION


def main(argv: Optional[List[str]] = None) -> int:
    """Returns the exit code: 0, or 2 when the flow cannot be compiled."""
    parser = argparse.ArgumentParser(
        prog="python -m bench_sdk",
        description="Flows written with bench_sdk. `bench run flow.py` compiles by itself.",
    )
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("compile", "print the canonical IR, no newline added"),
        ("document", "print what the flow says and where, as `bench` reads it"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("file", help="a Python file with one Flow, or with one called `flow`")
    options = parser.parse_args(argv)
    # Standard output is the result's alone: what the file prints goes elsewhere.
    with contextlib.redirect_stdout(sys.stderr):
        data = _compiled(options.file) if options.command == "compile" else _document(options.file)
    return 2 if data is None else _print(data)


def _compiled(file: str) -> Optional[bytes]:
    try:
        return load_flow(file).to_json()
    except LoadError as error:
        if error.diagnostics:
            # Its text has them with their lines.
            print(error.__cause__, file=sys.stderr)
            return None
        where = ":".join(str(part) for part in (file, error.line, error.column) if part is not None)
        print(f"{where}: error: {error}", file=sys.stderr)
    except BenchError as error:
        print(error, file=sys.stderr)
    return None


def _document(file: str) -> bytes:
    """A document and its folder; or why there is none, for `bench` to say."""
    result: Dict[str, Any]
    try:
        flow = load_flow(file)
        result = {"document": flow.document({os.path.abspath(file): file})}
    except LoadError as error:
        parts = ("code", "message", "hint", "line", "column")
        result = {"error": {part: getattr(error, part) for part in parts}}
        if error.diagnostics:
            result["error"]["diagnostics"] = [each._asdict() for each in error.diagnostics]
    return json.dumps(result).encode("ascii")


def _print(data: bytes) -> int:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    except BrokenPipeError:
        # The reader is gone: Python must not find that out again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
