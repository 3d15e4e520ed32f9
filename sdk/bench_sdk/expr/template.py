"""Templates: `{{ name }}` and `{{ name.path }}`.

    template  := ( text | "{{" ws reference ws "}}" )*
    reference := root ( "." segment )*
"""

from __future__ import annotations

import re
from typing import List, NamedTuple, Optional, Tuple, Union


class Reference(NamedTuple):
    """One `{{ root.path }}`: `env`, a pool (`user`), or an extracted variable."""

    root: str
    path: Tuple[str, ...]

    def __str__(self) -> str:
        """The reference in its one spelling."""
        return "{{ " + ".".join((self.root, *self.path)) + " }}"


#: Text with references in it; strings are literal.
Parts = List[Union[str, Reference]]

_REFERENCE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?:\.[^\s.{}]+)*")


def parse_template(text: str) -> Parts:
    """Takes a template apart.

    :raises ValueError: for an unclosed or malformed `{{`
    """
    parts: Parts = []
    at = 0
    while True:
        start = text.find("{{", at)
        if start < 0:
            break
        end = text.find("}}", start + 2)
        if end < 0:
            raise ValueError(f"template is not closed: {text[start:]}")
        if start > at:
            parts.append(text[at:start])
        parts.append(_reference(text[start : end + 2]))
        at = end + 2
    if at < len(text):
        parts.append(text[at:])
    return parts


def normalise_template(text: str) -> str:
    """The template in its one spelling: one space inside the braces."""
    return "".join(str(part) for part in parse_template(text))


def whole_reference(text: str) -> Optional[Reference]:
    """The reference, when the text is exactly one and nothing else."""
    parts = parse_template(text)
    only = parts[0] if len(parts) == 1 else None
    return only if isinstance(only, Reference) else None


def template_mistake(text: str) -> Optional[Tuple[str, Optional[str]]]:
    """Message and hint of the first malformed template; None when there is none."""
    at = text.find("{{")
    while at >= 0:
        end = text.find("}}", at)
        written = text[at:] if end < 0 else text[at : end + 2]
        try:
            parse_template(written)
        except ValueError as error:
            return str(error), "close it with }}" if end < 0 else _hint(written)
        at = text.find("{{", at + len(written))
    return None


def _reference(written: str) -> Reference:
    inside = written[2:-2].strip()
    if not _REFERENCE.fullmatch(inside):
        raise ValueError(
            f"{written} is not a template: expected {{{{ name }}}} or {{{{ name.path }}}}"
        )
    root, *path = inside.split(".")
    return Reference(root, tuple(path))


def _hint(written: str) -> Optional[str]:
    """The way out for what people bring from other template languages."""
    inside = written[2:-2].strip()
    if inside == "":
        return "name a variable, a fixture column or an env variable"
    if "|" in inside:
        return "templates have no filters: {{ name }}"
    if inside.startswith(("$", ".")):
        name = inside.lstrip("$.")
        return f"did you mean {{{{ {name} }}}}?" if re.match("[A-Za-z_]", name) else None
    if "[" in inside or "(" in inside:
        dotted = re.sub(r"\[['\"]?([^\]'\"]*)['\"]?\]", r".\1", inside)
        if re.search(r"[()\[\]]", dotted):
            return "templates name values and call nothing"
        return f"did you mean {{{{ {dotted} }}}}?"
    return None
