"""The names a flow defines, as far as its steps were added."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping


class KnownNames:
    """Pools, and which step extracts which variable."""

    def __init__(self, pools: Iterable[str]) -> None:
        self.pools: List[str] = list(pools)
        #: Index of the first step that extracts each variable, in order.
        self.extracted_by: Dict[str, int] = {}

    def add(self, step: Mapping[str, Any], index: int) -> None:
        """Takes in what `step` extracts."""
        for name in step.get("extract", {}):
            self.extracted_by.setdefault(name, index)
