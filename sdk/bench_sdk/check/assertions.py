"""Assertions and extractions that look at what is not there."""

from __future__ import annotations

from typing import Any, Collection, List, Mapping

from ..errors import FlowError
from ..expr.assertion import format_subject
from ..kinds.registry import KINDS
from ..values.suggest import nearest
from .names import KnownNames


def check_assertions(step: Mapping[str, Any], names: KnownNames) -> None:
    """:raises FlowError: `no-evidence`, `unknown-variable` or `reserved-name`"""
    _check_extractions(step, names)
    _check_evidence(step)
    # A step extracts before it asserts, so its own variables are known.
    own: List[str] = [*dict.fromkeys([*names.extracted_by, *step.get("extract", {})])]
    for assertion in step.get("assert", ()):
        _check_variable(assertion["subject"], own, names, own)
    for assertion in KINDS[step["kind"]].assertions(step["block"]):
        _check_variable(assertion["subject"], names.extracted_by, names, own)


def _check_extractions(step: Mapping[str, Any], names: KnownNames) -> None:
    for name in step.get("extract", {}):
        if name in ("env", "user") or name in names.pools:
            raise FlowError(
                "reserved-name",
                f"a variable cannot be called `{name}`: {{{{ {name}.* }}}} already has a meaning",
                "choose another name",
            )


def _check_evidence(step: Mapping[str, Any]) -> None:
    kind = step["kind"]
    has = KINDS[kind].evidence(step["block"])
    there = {"status": has.status, "header": has.headers, "body": has.body, "latency": has.body}
    subjects = [assertion["subject"]["kind"] for assertion in step.get("assert", ())]
    if has.body:
        subjects = [each for each in subjects if each != "variable"]
    subjects += [source["from"] for source in step.get("extract", {}).values()]
    for subject in subjects:
        if not there.get(subject, has.body):
            raise FlowError(
                "no-evidence",
                f"a `{kind}` frame has no {subject}: "
                "assert on its JSON with a path starting with $"
                if has.body
                else f"this `{kind}` step receives nothing, so there is nothing to look at",
            )


def _check_variable(
    subject: Mapping[str, Any], known: Collection[str], names: KnownNames, all_known: Collection[str]
) -> None:
    if subject["kind"] != "variable":
        return
    root = subject["name"].split(".")[0]
    if root in known:
        return
    raise FlowError(
        "unknown-variable",
        f"`{root}` is not known here: it is extracted only later"
        if root in all_known
        else f"`{root}` is not a variable: no step extracts it",
        _hint(root, format_subject(subject), names, all_known),
    )


def _hint(root: str, written: str, names: KnownNames, all_known: Collection[str]) -> str:
    if root in names.pools:
        return "assertions look at answers and variables, not at fixture rows"
    near = nearest(written, ["status", "latency", *all_known])
    if near and near != root:
        return f"did you mean `{near}`?"
    if root in all_known:
        return "move the step that extracts it up"
    return f"for a value of the body write `$.{written}`"
