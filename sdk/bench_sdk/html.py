"""How flows and results are shown in a notebook."""

from __future__ import annotations

from html import escape
from typing import Iterable, Sequence


def heading(text: str) -> str:
    """A line above a table."""
    return f"<p><b>{escape(text)}</b></p>"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; a cell that is None is empty."""

    def line(tag: str, cells: Sequence[object]) -> str:
        shown = ("" if each is None else escape(str(each)) for each in cells)
        return f"<tr>{''.join(f'<{tag}>{each}</{tag}>' for each in shown)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<table><thead>{line('th', heads)}</thead><tbody>{body}</tbody></table>" if body else ""


def lines(text: str) -> str:
    """Text as it is."""
    return f"<pre>{escape(text)}</pre>" if text else ""
