"""Several flows in one run, each with its share of the iterations."""

from __future__ import annotations

import os
from typing import Any, List, Mapping, Optional, Tuple

from .blocks import Block, built
from .errors import FlowError
from .flow import Flow, Runnable
from .html import heading, table
from .sites import call_site, checked

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


class Mix(Runnable):
    """A run of several flows: `Mix("evening", profile=...).add(browse, 70).add(buy, 30)`.

    Every next iteration goes to the flow that is furthest behind its share. The profiles of
    the flows have no effect.
    """

    @checked
    def __init__(self, name: str, *, profile: Optional[Mapping[str, Any]] = None) -> None:
        """
        :param name: a letter or `_`, then letters, digits, `_` and `-`
        :param profile: `profile(...)`; integration mode with one VU when None
        """
        self.name = name
        head: Block = built(Block, locals())
        head["mix"] = head.pop("name", name)
        head.origins = {**head.origins, "/mix": "name"}
        self._head = head
        #: Each flow with what is said of it here; steps may be added to it later.
        self._flows: List[Tuple[Flow, Block]] = []

    @checked
    def add(self, flow: Flow, weight: int) -> Mix:
        """Adds a flow.

        :param weight: 1 to 1000; its share is that of the sum of all weights
        :returns: the mix
        """
        # Programs in Python are not held to the type.
        given: Any = flow
        if not isinstance(given, Flow):
            raise FlowError(f"`flow`: expected a `Flow`, got {type(given).__name__}", ())
        part = Block(weight=weight)
        if flow.directory != self.directory:
            part["directory"] = os.path.relpath(flow.directory, self.directory)
        part.site, part.origins = call_site(), {"/weight": "weight"}
        self._flows.append((flow, part))
        return self

    def __repr__(self) -> str:
        count = len(self._flows)
        return f"<Mix {self.name}: {count} {'flow' if count == 1 else 'flows'}>"

    def _repr_html_(self) -> str:
        rows = [(flow.name, str(part["weight"])) for flow, part in self._flows]
        return heading(f"Mix {self.name}") + table(("flow", "weight"), rows)

    def _whole(self) -> Block:
        whole = Block(self._head)
        whole.site, whole.origins = self._head.site, self._head.origins
        whole["flows"] = [_with_flow(part, flow) for flow, part in self._flows]
        return whole


def _with_flow(part: Block, flow: Flow) -> Block:
    whole = Block(part, flow=flow._whole())
    whole.site, whole.origins = part.site, part.origins
    return whole
