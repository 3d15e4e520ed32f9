"""Assertions made ready: each explains itself when it does not hold."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, NamedTuple, Optional, Protocol

from ..pattern.ecmascript import compile_pattern
from ..values.json import OMIT, is_list, is_object
from .assertion import format_assertion, format_subject
from .comparison import json_equal
from .json_path import compile_path, follow
from .typed_value import TypedValue, typed_duration, typed_value


class Evidence(Protocol):
    """What assertions and extractions look at."""

    @property
    def status(self) -> Optional[int]:
        """The HTTP status; None when there was no answer."""

    def header(self, name: str) -> Optional[str]:
        """The first value of a header field, any letter case."""

    def json(self) -> Any:
        """The body as JSON; `OMIT` when it is none."""


class Mismatch(NamedTuple):
    """How an assertion did not hold."""

    message: str
    expected: TypedValue
    actual: TypedValue


#: None when the assertion holds. Latency in milliseconds.
Check = Callable[[Evidence, float, Mapping[str, Any]], Optional[Mismatch]]


def compile_check(assertion: Mapping[str, Any]) -> Check:
    """Compiles an assertion of the IR."""
    lookup = _subject(assertion["subject"])
    holds = _operator(assertion["op"], assertion["value"])

    def check(
        evidence: Evidence, latency_ms: float, variables: Mapping[str, Any]
    ) -> Optional[Mismatch]:
        actual = lookup(evidence, latency_ms, variables)
        if holds(actual):
            return None
        mismatch = _explain(assertion, actual)
        if assertion["subject"]["kind"] != "body" or actual is not OMIT:
            return mismatch
        return mismatch._replace(message=mismatch.message + without_json(evidence))

    return check


def without_json(evidence: Evidence) -> str:
    """Why no path finds anything in an answer: ` (the body is not JSON; status 302)`.

    Empty when its body is JSON.
    """
    if evidence.json() is not OMIT:
        return ""
    media = (evidence.header("content-type") or "").split(";", 1)[0].strip()
    facts = [] if evidence.status is None else [f"status {evidence.status}"]
    if media:
        facts.append(media)
    return f" (the body is not JSON{'; ' if facts else ''}{', '.join(facts)})"


def _subject(subject: Mapping[str, Any]) -> Callable[[Evidence, float, Mapping[str, Any]], Any]:
    kind = subject["kind"]
    if kind == "status":
        return lambda evidence, _ms, _vars: OMIT if evidence.status is None else evidence.status
    if kind == "latency":
        return lambda _evidence, ms, _vars: math.floor(ms * 1_000 + 0.5)
    if kind == "header":
        name = subject["name"]

        def header(evidence: Evidence, _ms: float, _vars: Mapping[str, Any]) -> Any:
            value = evidence.header(name)
            return OMIT if value is None else value

        return header
    if kind == "body":
        find = compile_path(subject["path"])
        return lambda evidence, _ms, _vars: find(evidence.json())
    root, *path = subject["name"].split(".")

    def variable(_evidence: Evidence, _ms: float, variables: Mapping[str, Any]) -> Any:
        value = follow(variables.get(root, OMIT), path)
        return OMIT if value is None else value

    return variable


def _operator(op: str, value: Any) -> Callable[[Any], bool]:
    """Comparison never coerces; a missing subject holds only `== null`."""
    if op == "==":
        if value is None:
            return lambda actual: actual is OMIT
        return lambda actual: actual is not OMIT and json_equal(actual, value)
    if op == "!=":
        if value is None:
            return lambda actual: actual is not OMIT
        return lambda actual: actual is not OMIT and not json_equal(actual, value)
    if op == "contains":
        return lambda actual: _contains(actual, value)
    if op == "matches":
        pattern = compile_pattern(value)
        return lambda actual: isinstance(actual, str) and pattern.search(actual)
    return lambda actual: _is_number(actual) and _ordered(op, actual, value)


def _contains(actual: Any, value: Any) -> bool:
    if isinstance(actual, str):
        return isinstance(value, str) and value in actual
    if is_list(actual):
        return any(json_equal(each, value) for each in actual)
    return is_object(actual) and isinstance(value, str) and value in actual


def _ordered(op: str, actual: float, limit: float) -> bool:
    if op == "<":
        return actual < limit
    if op == "<=":
        return actual <= limit
    return actual > limit if op == ">" else actual >= limit


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _explain(assertion: Mapping[str, Any], actual: Any) -> Mismatch:
    subject, op, value = assertion["subject"], assertion["op"], assertion["value"]
    is_latency = subject["kind"] == "latency"

    def show(each: Any) -> TypedValue:
        return typed_duration(each) if is_latency and _is_number(each) else typed_value(each)

    if value is None:
        wanted = TypedValue("nothing" if op == "==" else "anything", "")
    else:
        wanted = show(value) if op == "==" else show(value)._replace(operator=op)
    got = show(actual)
    why = _reason(assertion, actual, got)
    return Mismatch(f"{format_assertion(assertion)} does not hold: {why}", wanted, got)


def _reason(assertion: Mapping[str, Any], actual: Any, got: TypedValue) -> str:
    name, op = format_subject(assertion["subject"]), assertion["op"]
    if actual is OMIT:
        return f"{name} does not exist"
    said = f"{name} is the {got.type} {got.text}"
    if op == "matches" and not isinstance(actual, str):
        return f"{said}, not a string"
    if op[0] in "<>" and not _is_number(actual):
        return f"{said}, not a number"
    return said
