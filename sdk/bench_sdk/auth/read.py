"""An `auth` mapping into its IR block, defaults filled in."""

from __future__ import annotations

from typing import Any, Optional

from ..errors import FlowError
from ..read.mapping import Key, read_mapping
from ..read.payload import normalised
from ..read.scalars import read_choice, read_string, scalar_text
from ..values.conceal import dotted
from ..values.json import JsonObject, describe, is_list, is_object
from ..values.suggest import nearest
from .names import name_mistakes
from .scheme import SCHEMES, Scheme
from .sign_string import check_sign


def read_auth(value: Any) -> Optional[JsonObject]:
    """Reads `auth`; None for `scheme: none`, which leaves nothing in the IR."""
    scheme = _find(value)
    table = {"scheme": Key(", ".join(SCHEMES), True), **scheme.keys}
    fields = read_mapping(
        value, table, f"`{scheme.name}` auth", lambda key: _other_scheme(key, scheme)
    )
    block: JsonObject = {"scheme": scheme.name, **scheme.defaults}
    for key in scheme.keys:
        if key in fields:
            read = _field(key, fields[key], scheme)
            if read != []:
                block[key] = read
    if scheme.name == "none":
        return None
    _check(block)
    return block


def _find(value: Any) -> Scheme:
    if not is_object(value):
        known = isinstance(value, str) and value in SCHEMES
        scalar = isinstance(value, (str, int, float)) and not known
        shown = describe(dotted(scalar_text(value)) if scalar else value)
        word = value if known else "bearer"
        rest = "" if word == "none" else ", ..."
        raise FlowError(
            "wrong-type",
            f"`auth` must be a mapping, but it is {shown}",
            f"write `auth: {{ scheme: {word}{rest} }}`",
        )
    if "scheme" not in value:
        raise FlowError(
            "missing-key", "`auth` needs `scheme`", f"one of: {', '.join(SCHEMES)}"
        )
    name = read_string(value["scheme"], "`scheme`")
    if name in SCHEMES:
        return SCHEMES[name]
    starts = (each for each in SCHEMES if each.startswith(name.lower()))
    near = next(starts, None) or nearest(name, SCHEMES)
    raise FlowError(
        "unknown-value",
        f"unknown auth scheme `{name}`",
        f"did you mean `{near}`?" if near and name else f"one of: {', '.join(SCHEMES)}",
    )


def _field(key: str, value: Any, scheme: Scheme) -> Any:
    what = f"`{key}`"
    if key in scheme.choices:
        return read_choice(value, what, scheme.choices[key])

    def read_one(item: Any) -> str:
        if key not in scheme.secrets:
            text = read_string(item, what)
            return normalised(text) if key in scheme.templated else text
        # A literal is refused, and stands in no message, whatever is wrong with it.
        number = isinstance(item, (int, float))
        return normalised(dotted(scalar_text(item) if number else read_string(item, what)))

    if key not in scheme.lists:
        return read_one(value)
    return [read_one(item) for item in (value if is_list(value) else [value])]


def _other_scheme(key: str, scheme: Scheme) -> None:
    """Says whose key it is when another scheme has it."""
    owners = [f"`{each.name}`" for each in SCHEMES.values() if key in each.keys]
    if owners:
        raise FlowError(
            "other-scheme",
            f"`{key}` belongs to {' and '.join(owners)}, not to `{scheme.name}`",
            f"keys of `{scheme.name}`: {', '.join(scheme.keys)}"
            if scheme.keys
            else f"`{scheme.name}` takes no keys",
        )


def _check(block: JsonObject) -> None:
    """Mistakes that only the whole block shows."""
    scheme = block["scheme"]
    if scheme == "basic" and "{{" not in block["username"] and ":" in block["username"]:
        from ..values.canonical import canonical

        raise FlowError(
            "bad-username",
            "`username` must not contain `:` (RFC 7617), but it is "
            f"{canonical(block['username'])}",
        )
    if scheme == "api_key":
        use = "query parameter" if block["in"] == "query" else "header field"
        name_mistakes(block, "name", use)
    if scheme == "cookie":
        name_mistakes(block, "name", "cookie")
    if scheme == "hmac":
        for key in ("header", "key_id_header", "timestamp_header"):
            name_mistakes(block, key, "header field")
        check_sign(block["sign"], "key_id" in block)
