"""`call`: one HTTP request."""

from __future__ import annotations

from .http_block import http_templates, read_http
from .kind import STEP_KEYS, Kind

call = Kind(
    name="call",
    doc='an HTTP request, "METHOD /path"',
    keys=STEP_KEYS,
    requests=True,
    read=read_http,
    templates=http_templates,
)
