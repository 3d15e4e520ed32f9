"""`wait`: a pause."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

from ..read.scalars import read_duration
from ..values.json import JsonObject
from .kind import Kind

def _read(action: Any, fields: Mapping[str, Any]) -> JsonObject:
    return {"duration_us": read_duration(action, "`wait`")}


def _no_templates(block: Mapping[str, Any]) -> Iterable[Any]:
    return ()


wait = Kind(
    name="wait",
    doc="a pause, such as 500ms",
    keys=(),
    requests=False,
    read=_read,
    templates=_no_templates,
)
