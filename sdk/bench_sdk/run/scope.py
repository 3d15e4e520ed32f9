"""What templates see while an iteration runs, and rendering them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from ..data.fixture import Cell, Row
from ..expr.json_path import follow
from ..expr.template import Reference, parse_template
from ..values.canonical import canonical, string_text, utf16_key
from ..values.json import OMIT, is_list, is_object


class ResolutionError(Exception):
    """A template names something that has no value."""


class Scope(NamedTuple):
    """Environment, extracted variables, and the row of each pool (None: ran dry)."""

    env: Mapping[str, str]
    variables: Dict[str, Any]
    rows: Mapping[str, Optional[Row]]

    def value(self, reference: Reference) -> Any:
        """What a reference gives; a `Cell` for a nested fixture value.

        :raises ResolutionError: when it has no value
        """
        root, path = reference
        if root == "env":
            return self.env.get(".".join(path), "")
        if root in self.rows:
            return self._cell(reference)
        value = follow(self.variables.get(root, OMIT), path)
        if value is OMIT:
            raise ResolutionError(f"{reference} has no value")
        return value

    def _cell(self, reference: Reference) -> Any:
        row = self.rows[reference.root]
        if row is None:
            raise ResolutionError(f"{reference} has no row: the pool is exhausted")
        cell = row.get(".".join(reference.path))
        if cell is None:
            raise ResolutionError(f"{reference} names a column this row lacks")
        return cell

    def text(self, template: str) -> str:
        """A template whose result is text (URL, header, query, auth)."""
        return "".join(
            part if isinstance(part, str) else as_text(self.value(part))
            for part in _parts(template)
        )

    def payload(self, value: Any) -> str:
        """A JSON payload as its RFC 8785 text, templates filled in.

        A leaf that is exactly one template takes the value with its JSON type.
        """
        if isinstance(value, str):
            return self._leaf(value)
        if is_list(value):
            return f"[{','.join(self.payload(each) for each in value)}]"
        if is_object(value):
            pairs = (
                f"{string_text(key)}:{self.payload(value[key])}"
                for key in sorted(value, key=utf16_key)
            )
            return "{" + ",".join(pairs) + "}"
        return canonical(value)

    def _leaf(self, text: str) -> str:
        parts = _parts(text)
        if len(parts) == 1 and isinstance(parts[0], Reference):
            value = self.value(parts[0])
            return value.text if isinstance(value, Cell) and value.nested else canonical(
                value.text if isinstance(value, Cell) else value
            )
        return string_text(self.text(text))


def as_text(value: Any) -> str:
    """The value inside a longer string: strings as they are, others as JSON."""
    if isinstance(value, str):
        return value
    return value.text if isinstance(value, Cell) else canonical(value)


@lru_cache(maxsize=1024)
def _parts(template: str) -> Tuple[Union[str, Reference], ...]:
    parts: List[Union[str, Reference]] = parse_template(template)
    return tuple(parts)
