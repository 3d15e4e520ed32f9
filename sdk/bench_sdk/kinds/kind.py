"""What the rest of the package may know about one action kind."""

from __future__ import annotations

from typing import Any, Callable, Iterable, List, Mapping, NamedTuple, Optional, Sequence

from ..expr.assertion import Assertion, StatusNames
from ..values.json import JsonObject, is_list, is_object

#: The step keys that only some kinds take.
STEP_KEYS = ("headers", "query", "body", "extract", "assert", "retry", "throttle", "auth")


class Evidences(NamedTuple):
    """What assertions and extractions may look at after a step."""

    status: bool = True
    headers: bool = True
    body: bool = True


def _no_assertions(block: Mapping[str, Any]) -> Sequence[Assertion]:
    return ()


def _all_evidence(block: Mapping[str, Any]) -> Evidences:
    return Evidences()


def _no_rules(step: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> None:
    return None


class Kind(NamedTuple):
    """One action kind. Its block is plain JSON to everyone else."""

    name: str
    doc: str
    #: Which of `STEP_KEYS` go with it.
    keys: Sequence[str]
    #: Makes requests, so that it takes auth.
    requests: bool
    #: Reads the value of the action key and the step's other keys into the block.
    read: Callable[[Any, Mapping[str, Any]], JsonObject]
    #: Every templated string or payload of a block.
    templates: Callable[[Mapping[str, Any]], Iterable[Any]]
    #: Assertions inside the block (`until`).
    assertions: Callable[[Mapping[str, Any]], Sequence[Assertion]] = _no_assertions
    #: Whether this step has a request that carries auth; `requests` when None.
    authorizes: Optional[Callable[[Mapping[str, Any]], bool]] = None
    evidence: Callable[[Mapping[str, Any]], Evidences] = _all_evidence
    #: Rules across steps: the step, and the steps of its kind before it.
    check: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], None] = _no_rules
    status_names: Optional[StatusNames] = None


def strings_of(value: Any) -> List[str]:
    """Every string in a JSON value, keys left out."""
    if isinstance(value, str):
        return [value]
    if is_list(value):
        return [text for each in value for text in strings_of(each)]
    if is_object(value):
        return [text for each in value.values() for text in strings_of(each)]
    return []
