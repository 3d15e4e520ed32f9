"""JSON payloads and text, with templates in them."""

from __future__ import annotations

from typing import Any

from ..errors import FlowError
from ..expr.template import normalise_template, template_mistake
from ..values.canonical import canonical
from ..values.json import JsonObject, describe, is_list, is_object
from .scalars import read_string, read_text


def read_payload(value: Any) -> Any:
    """Any JSON value (`body`, `variables`, `message`, `send`), templates normalised.

    :raises FlowError: for what JSON cannot say, and for bad templates
    """
    if isinstance(value, str):
        canonical(value)
        return normalised(value)
    if is_list(value):
        return [read_payload(each) for each in value]
    if not is_object(value):
        canonical(value)
        return value
    payload: JsonObject = {}
    for key, each in value.items():
        if not isinstance(key, str):
            raise FlowError(
                "wrong-type", f"a key of a JSON object must be a string, but this is {describe(key)}"
            )
        if "{{" in key:
            raise FlowError(
                "template-in-key",
                f"keys are not templated, but this one is `{key}`",
                "put the template into the value",
            )
        payload[key] = read_payload(each)
    return payload


def read_templated(value: Any, what: str) -> str:
    """One string that may hold templates, normalised."""
    return normalised(read_string(value, what))


def read_templated_text(value: Any, what: str) -> str:
    """A header or query value, likewise; numbers and booleans become text."""
    return normalised(read_text(value, what))


def normalised(text: str) -> str:
    """The text with its templates in their one spelling.

    :raises FlowError: `bad-template`
    """
    mistake = template_mistake(text)
    if mistake:
        raise FlowError("bad-template", *mistake)
    return normalise_template(text)
