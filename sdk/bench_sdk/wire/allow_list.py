"""The origins a run may contact; asked before every name look-up."""

from __future__ import annotations

from typing import Sequence

from .origin import Origin
from .url import BaseUrl
from .wire_error import WireError


class AllowList:
    """Origins of the target's base URLs."""

    def __init__(self, bases: Sequence[BaseUrl]) -> None:
        self._keys = list(dict.fromkeys(base.origin.key for base in bases))

    def permits(self, origin: Origin) -> bool:
        """Whether the origin's family, host and port are those of a base URL."""
        return origin.key in self._keys

    def refusal(self, origin: Origin) -> str:
        """Why an origin may not be contacted."""
        permitted = ", ".join(f"`{key}`" for key in self._keys)
        return f"`{origin.key}` is not on the target's allow-list: base_urls permits {permitted}"

    def check(self, origin: Origin) -> None:
        """:raises WireError: `forbidden-host`"""
        if not self.permits(origin):
            raise WireError("forbidden-host", self.refusal(origin))
