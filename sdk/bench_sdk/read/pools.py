"""Fixture pools: `data`, and named pools, which only the IR has."""

from __future__ import annotations

import re
from typing import Any, Optional

from ..errors import FlowError
from ..values.json import JsonObject
from .scalars import read_choice, read_string

FORMATS = ("csv", "json")
DISTRIBUTIONS = ("unique-per-vu", "round-robin", "random")
EXHAUSTION = ("fail", "cycle", "stop")


def read_data(value: Any) -> JsonObject:
    """The pool `user` that `data` stands for."""
    path = read_string(value, "`data`")
    if "{{" in path:
        raise FlowError(
            "template-not-allowed", "`data` is not templated: the file is read before the run"
        )
    form = _form(path)
    if path != "" and form is None:
        raise FlowError(
            "bad-fixture", f'a fixture is a .csv or a .json file, but `data` is "{path}"'
        )
    return read_pool("user", path, form or "csv", "unique-per-vu", "fail")


def read_pool(
    name: Any, path: Any, form: Optional[str], distribution: Any, on_exhausted: Any
) -> JsonObject:
    """The IR of one pool."""
    word = read_string(name, "`name`")
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_-]*", word):
        raise FlowError(
            "bad-name",
            "a pool's name starts with a letter or _ and goes on with letters, "
            f'digits, _ and -, but this is "{word}"',
        )
    file = read_string(path, "`path`")
    return {
        "name": word,
        "path": file,
        "format": read_choice(form or _form(file) or "", "`format`", FORMATS),
        "distribution": read_choice(distribution, "`distribution`", DISTRIBUTIONS),
        "on_exhausted": read_choice(on_exhausted, "`on_exhausted`", EXHAUSTION),
    }


def _form(path: str) -> Optional[str]:
    match = re.search(r"\.(csv|json)$", path, re.IGNORECASE)
    return match[1].lower() if match else None
