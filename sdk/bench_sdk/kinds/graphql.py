"""`graphql`: one GraphQL operation as an HTTP POST."""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping, Sequence

from ..errors import FlowError
from ..read.mapping import Key, read_mapping
from ..read.payload import read_payload
from ..read.scalars import is_scalar, read_choice, read_string
from ..values.json import JsonObject, describe, is_object
from .block_url import URL_KEYS, read_block_url
from .http_block import read_headers
from .kind import Kind

ON_ERRORS = ("fail", "allow_partial", "ignore")
GRAPHQL_KEYS = {
    **URL_KEYS,
    "query": Key("the document, sent as it stands", True),
    "variables": Key("values of the operation's variables"),
    "operation_name": Key("which operation of the document to run"),
    "on_errors": Key(f"what errors mean: {', '.join(ON_ERRORS)}"),
}
_BESIDE = ("headers", "extract", "assert", "retry", "throttle", "auth")


def _read(action: Any, fields: Mapping[str, Any]) -> JsonObject:
    parts = read_mapping(action, GRAPHQL_KEYS, "`graphql`", _belongs_beside)
    url = read_block_url(parts)
    if url is None:
        raise FlowError(
            "missing-key", "`graphql` needs `url` or `endpoint`", "for example `url: /graphql`"
        )
    block: JsonObject = {"url": url, "query": _document(parts["query"])}
    if "variables" in parts:
        variables = _variables(parts["variables"])
        if variables:
            block["variables"] = variables
    if "operation_name" in parts:
        block["operation_name"] = _name(parts["operation_name"])
    block["on_errors"] = (
        read_choice(parts["on_errors"], "`on_errors`", ON_ERRORS)
        if "on_errors" in parts
        else "fail"
    )
    headers = read_headers(fields["headers"]) if "headers" in fields else {}
    if headers:
        block["headers"] = headers
    return block


def _belongs_beside(key: str) -> None:
    """A step's key inside the block stands one level too deep."""
    if key in _BESIDE:
        raise FlowError(
            "unknown-key",
            f"`{key}` does not go into `graphql`",
            "put it beside `graphql`, one level up",
        )


def _document(value: Any) -> str:
    if not is_scalar(value):
        raise FlowError(
            "wrong-type",
            f"`query` must be a GraphQL document, but to YAML it is {describe(value)}",
            "write `query: |` and the document on the lines below it",
        )
    text = read_string(value, "`query`")
    if text.strip() == "":
        raise FlowError("empty", "`query` must not be empty")
    return text


def _variables(value: Any) -> Any:
    if not is_object(value):
        raise FlowError(
            "wrong-type",
            f"`variables` must be a mapping of names to values, but it is {describe(value)}",
        )
    return read_payload(value)


def _name(value: Any) -> str:
    name = read_string(value, "`operation_name`")
    if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
        return name
    raise FlowError(
        "bad-name",
        f'`operation_name` must be a name of the document, but it is "{name}"',
        "it is not templated"
        if "{{" in name
        else "a name has letters, digits and _ and does not begin with a digit",
    )


def _templates(block: Mapping[str, Any]) -> Iterator[Any]:
    yield block["url"]
    yield from block.get("headers", {}).values()
    yield block.get("variables", {})


def _check(step: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> None:
    written = re.search(r"\{\{[^{}]*\}\}", step["block"]["query"])
    if written:
        raise FlowError(
            "template-in-document",
            f"{written[0]} stands in a GraphQL document, which is sent verbatim: "
            "templates are not supported there",
            "declare a variable, such as `query ($id: ID!)`, and put the template into `variables`",
        )


graphql = Kind(
    name="graphql",
    doc="a GraphQL query or mutation",
    keys=_BESIDE,
    requests=True,
    read=_read,
    templates=_templates,
    check=_check,
)
