"""Where the repository's files lie, and its demo server."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from typing import Iterator, Tuple

from bench_sdk.engine import find_engine

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GOLDEN = os.path.join(ROOT, "tests", "golden", "ir")


@contextlib.contextmanager
def demo_server() -> Iterator[Tuple[str, str]]:
    """The demo target while the block lasts: its URL, and that of its gRPC port."""
    words = [*find_engine(), "demo", "--serve", "--addr", "127.0.0.1:0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        found = re.findall(r"\w+://[\d.:]+", server.stdout.readline())
        yield found[0], found[1]
    finally:
        server.terminate()
        server.communicate()
