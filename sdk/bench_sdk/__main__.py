"""`python -m bench_sdk compile flow.py`: the canonical IR on standard output."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import IO, Any, Dict, List, Optional

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
    with _result_output() as output:
        data = _compiled(options.file) if options.command == "compile" else _document(options.file)
        return 2 if data is None else _print(data, output)


def _result_output() -> IO[bytes]:
    """Standard output, for the result alone: from now on what is printed goes to standard error.

    That is also what programs print that the file starts, and what is printed when Python ends.
    """
    output = os.fdopen(os.dup(1), "wb")
    try:
        os.dup2(2, 1)
    except OSError:
        # There is no standard error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = sys.stderr
    return output


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
        if flow.directory != os.path.dirname(os.path.abspath(file)):
            # Another module makes the flow, and its paths are relative to that one.
            on_one_drive = os.path.splitdrive(flow.directory)[0] == os.path.splitdrive(os.getcwd())[0]
            result["directory"] = os.path.relpath(flow.directory) if on_one_drive else flow.directory
    except LoadError as error:
        parts = ("code", "message", "hint", "line", "column")
        result = {"error": {part: getattr(error, part) for part in parts}}
        if error.diagnostics:
            result["error"]["diagnostics"] = [each._asdict() for each in error.diagnostics]
    return json.dumps(result).encode("ascii")


def _print(data: bytes, output: IO[bytes]) -> int:
    try:
        output.write(data)
        output.flush()
        return 0
    except BrokenPipeError:
        # The reader is gone: what is still in the buffer must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
