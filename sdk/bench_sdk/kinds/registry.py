"""Every action kind, by its key in a step."""

from __future__ import annotations

from .call import call
from .graphql import graphql
from .grpc import grpc
from .poll import poll
from .wait import wait
from .ws import ws

KINDS = {kind.name: kind for kind in (call, graphql, grpc, poll, wait, ws)}
