"""Targets: where a run may go, and how hard."""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from .blocks import Block, Duration, FilePath, built, mapped
from .document import document_of
from .sites import checked

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


class Target:
    """A target, as a target file has it; or the file itself."""

    @checked
    def __init__(
        self,
        name: str,
        base_urls: Sequence[str],
        *,
        max_vus: Optional[int] = None,
        max_rps: Optional[int] = None,
        request_timeout: Union[Duration, int, None] = None,
        agent_addr: Optional[str] = None,
        disallowed_modes: Optional[Sequence[str]] = None,
    ) -> None:
        """
        :param base_urls: the hosts a run may contact; relative URLs join the first
        :param max_vus: most virtual users a run may have
        :param max_rps: most requests a second
        :param request_timeout: bounds one attempt; 30s when None
        :param agent_addr: `host:port` of a metrics agent
        :param disallowed_modes: modes refused here
        """
        self._block: Optional[Block] = built(Block, locals())
        self._path: Optional[str] = None

    @classmethod
    @checked
    def from_dict(cls, target: Mapping[str, Any]) -> Target:
        """A target from a mapping with the keys of a target file."""
        made = cls.__new__(cls)
        made._path, made._block = None, mapped(target, "target")
        return made

    @classmethod
    @checked
    def read(cls, path: FilePath) -> Target:
        """A target file; the engine reads it when the target is used."""
        made = cls.__new__(cls)
        made._path, made._block = os.path.abspath(path), None
        return made

    def __repr__(self) -> str:
        return f"<Target {self._path if self._block is None else self._block.get('name')}>"

    @property
    def parameter(self) -> Union[str, Dict[str, Any]]:
        """The target as the engine takes it."""
        if self._block is None:
            return self._path or ""
        return {"document": document_of(self._block)}


#: A target's name, a path to a target file, a base URL, or a `Target`.
AnyTarget = Union[str, "os.PathLike[str]", Target]
