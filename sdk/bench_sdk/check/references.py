"""Templates that cannot have a value."""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping, Optional, Tuple

from ..auth.scheme import SCHEMES
from ..errors import FlowError
from ..expr.template import Reference, parse_template
from ..kinds.kind import strings_of
from ..kinds.registry import KINDS
from ..values.suggest import nearest
from .names import KnownNames


def templated_strings(step: Mapping[str, Any]) -> Iterator[Tuple[str, bool]]:
    """Every templated string of a step, and whether it belongs to its auth."""
    for field in KINDS[step["kind"]].templates(step["block"]):
        for text in strings_of(field):
            yield text, False
    auth = step.get("auth")
    if auth:
        for key in SCHEMES[auth["scheme"]].templated:
            for text in strings_of(auth.get(key)):
                yield text, True


def check_references(step: Mapping[str, Any], names: KnownNames) -> None:
    """:raises FlowError: `unresolved-template`, quoting the template"""
    for text, in_auth in templated_strings(step):
        for part in parse_template(text):
            if isinstance(part, Reference):
                _check(part, step, in_auth, names)


def _check(part: Reference, step: Mapping[str, Any], in_auth: bool, names: KnownNames) -> None:
    problem = _env_problem(part) if part.root == "env" else _problem(part, step, names)
    if problem is None:
        return
    why, hint = problem
    if in_auth and part.root in step.get("extract", {}):
        hint = f"if step `{step['id']}` needs no credentials, give it `auth: {{ scheme: none }}`"
    raise FlowError("unresolved-template", f"{part} {why}", hint)


def _problem(
    part: Reference, step: Mapping[str, Any], names: KnownNames
) -> Optional[Tuple[str, str]]:
    root = part.root
    if root in names.pools:
        if part.path:
            return None
        return "names no column of the fixture", f"write {{{{ {root}.<column> }}}}"
    if root in names.extracted_by:
        return None
    if root in step.get("extract", {}):
        return (
            f"is extracted by step `{step['id']}` itself, from the answer to this request",
            "extract it in an earlier step",
        )
    if root == "user":
        return (
            "needs a fixture, but this flow has no `data`",
            "add `data: <file>.csv` to the flow",
        )
    known = [*names.extracted_by, *names.pools, "env"]
    near = nearest(root, known)
    if near:
        hint = f"did you mean `{near}`?"
    elif re.fullmatch("[A-Z][A-Z0-9_]*", root) and not part.path:
        hint = f"for an environment variable write {{{{ env.{root} }}}}"
    else:
        hint = f"known here: {', '.join(known)}"
    return f"names nothing that step `{step['id']}` knows", hint


def _env_problem(part: Reference) -> Optional[Tuple[str, str]]:
    name = ".".join(part.path)
    if name == "":
        return "names no environment variable", "write {{ env.<NAME> }}"
    if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
        return None
    return (
        f"names `{name}`, which cannot be an environment variable",
        "such a name has letters, digits and _ only",
    )
