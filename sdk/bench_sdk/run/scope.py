"""What templates see while an iteration runs, and rendering them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from ..data.fixture import Cell, Row
from ..errors import FlowError
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
        """A template whose result is text (URL, header, query, auth).

        :raises ResolutionError: when a reference has no value, or none that is text
        """
        return "".join(
            part if isinstance(part, str) else self._text_of(part) for part in _parts(template)
        )

    def payload(self, value: Any) -> str:
        """A JSON payload as its RFC 8785 text, templates filled in.

        A leaf that is exactly one template takes the value with its JSON type.

        :raises ResolutionError: when a reference has no value, or none that is JSON
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
            if isinstance(value, Cell):
                return value.text if value.nested else canonical(value.text)
            return _in_json(value, parts[0])
        return string_text(self.text(text))

    def _text_of(self, reference: Reference) -> str:
        """The value inside a longer string: strings as they are, others as JSON."""
        value = self.value(reference)
        if isinstance(value, Cell):
            return value.text
        written = _in_json(value, reference)
        return value if isinstance(value, str) else written


def is_constant(value: Any) -> bool:
    """Whether the templates in `value` name nothing but the environment."""
    if isinstance(value, str):
        return all(isinstance(part, str) or part.root == "env" for part in _parts(value))
    if is_list(value):
        return all(map(is_constant, value))
    return not is_object(value) or all(map(is_constant, value.values()))


def _in_json(value: Any, reference: Reference) -> str:
    """What an answer holds may be more than JSON can say, such as 1e400."""
    try:
        return canonical(value)
    except FlowError as error:
        half = error.code == "lone-surrogate"
        why = "half a surrogate pair, which is no character" if half else "a number too large for JSON"
        raise ResolutionError(f"{reference} holds {why}") from None


@lru_cache(maxsize=1024)
def _parts(template: str) -> Tuple[Union[str, Reference], ...]:
    parts: List[Union[str, Reference]] = parse_template(template)
    return tuple(parts)
