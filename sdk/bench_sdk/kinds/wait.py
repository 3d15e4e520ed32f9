"""`wait`: a pause."""

from __future__ import annotations

from ..read.scalars import read_duration
from .kind import Kind

wait = Kind(
    name="wait",
    doc="a pause, such as 500ms",
    keys=(),
    requests=False,
    read=lambda action, fields: {"duration_us": read_duration(action, "`wait`")},
    templates=lambda block: (),
)
