"""Mappings with a closed set of keys."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, Mapping, NamedTuple, Optional

from ..errors import FlowError
from ..values.json import describe, is_object
from ..values.suggest import nearest


class Key(NamedTuple):
    """What may stand under one key: one line for a person, and whether it must."""

    doc: str
    required: bool = False


#: The keys of one mapping, in the order they are listed to a person.
KeyTable = Mapping[str, Key]
#: Raises for a key that is not in the table, with better words than "unknown key".
Foreign = Callable[[str], None]


def read_mapping(
    value: Any, table: KeyTable, what: str, foreign: Optional[Foreign] = None
) -> Dict[str, Any]:
    """Reads a mapping with the keys of `table`.

    :param what: the mapping in words, such as "step `login`" or "`retry`"
    :raises FlowError: `wrong-type`, `unknown-key` or `missing-key`
    """
    if not is_object(value):
        raise FlowError(
            "wrong-type",
            f"{what} must be a mapping, but it is {describe(value)}",
            f"keys: {', '.join(table)}",
        )
    for key in value:
        if key not in table:
            if foreign:
                foreign(str(key))
            raise unknown_key(str(key), table, what)
    for key, rule in table.items():
        if rule.required and key not in value:
            raise FlowError("missing-key", f"{what} needs `{key}`", f"`{key}`: {rule.doc}")
    return dict(value)


def unknown_key(key: str, keys: Iterable[str], what: str) -> FlowError:
    """The error for a key that `what` does not have."""
    near = nearest(key, keys)
    return FlowError(
        "unknown-key",
        f"unknown key `{key}` in {what}",
        f"did you mean `{near}`?" if near else f"allowed here: {', '.join(keys)}",
    )
