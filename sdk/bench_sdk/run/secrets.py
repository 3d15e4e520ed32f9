"""Values that no result may show, in every spelling they travel in."""

from __future__ import annotations

import base64
import re
import string
from typing import Callable, List, Match, Optional, Pattern, Set, Union

from ..pattern.units import code_units
from ..values.readable import stringify

MARK = "[redacted]"
#: From this many bytes on, a secret is also looked for inside longer base64.
_ALIGNED_FROM = 6
#: The beginning of a secret at a cut is looked for from this many UTF-16 units on.
_SHORTEST_CUT = 4
#: What encoders leave bare besides letters and digits: strict, as a URL sends it,
#: encodeURIComponent, encodeURI, forms.
_BARE = ("-._~", "-._~:/?#[]@!$&'()*+,;=%", "-_.!~*'()", ";,/?:@&=+$-_.!~*'()#", "*-._")


class Secrets:
    """Registering is allowed at any time; a value counts from the next `scrub` on."""

    def __init__(self) -> None:
        self._words: Set[str] = set()
        #: Words that hold the mark itself, which pieces between marks cannot show.
        self._around_mark: List[str] = []
        self._values: Set[str] = set()
        self._pattern: Optional[Pattern[str]] = None

    def register(self, value: str) -> None:
        """Registers a value in all its forms; an empty one is skipped."""
        if value and value not in self._values:
            self._values.add(value)
            forms = forms_of(value)
            self._words |= {form for form in forms if MARK not in form}
            around = {form for form in forms if MARK in form and form != MARK}
            self._around_mark = sorted({*self._around_mark, *around}, key=len, reverse=True)
            self._pattern = None

    def scrub(self, text: str) -> str:
        """`text` with every form of every secret replaced by `[redacted]`."""
        if not self._values or not text:
            return text
        text = self._scrub_around_mark(text)
        if self._pattern is None:
            longest = sorted(self._words, key=len, reverse=True)
            # Looked at from every place, so that words that overlap go as one stretch.
            self._pattern = re.compile(f"(?=({'|'.join(map(re.escape, longest))}))")
        pieces = [self._piece(piece, self._pattern) for piece in text.split(MARK)]
        return self._scrub_around_mark(MARK.join(pieces))

    def scrub_cut(self, text: str) -> str:
        """As `scrub`, for text that was cut off: the beginning of a secret at the
        cut goes as well, from four UTF-16 units on.
        """
        scrubbed = self.scrub(text)
        if scrubbed.endswith(MARK) or not self._words:
            return scrubbed
        longest = max(map(len, self._words))
        for at in range(max(0, len(scrubbed) - longest), len(scrubbed)):
            rest = scrubbed[at:]
            if len(code_units(rest)) < _SHORTEST_CUT:
                break
            if any(word.startswith(rest) for word in self._words):
                return scrubbed[:at] + MARK
        return scrubbed

    def _scrub_around_mark(self, text: str) -> str:
        """Each round makes the text shorter, so that the rounds end."""
        before = None
        while before != text:
            before = text
            for word in self._around_mark:
                text = text.replace(word, MARK)
        return text

    def _piece(self, text: str, pattern: Pattern[str]) -> str:
        parts: List[str] = []
        done = start = end = 0
        for match in pattern.finditer(text):
            if match.start() >= end:
                if end > start:
                    parts += [text[done:start], MARK]
                    done = end
                start = match.start()
            end = max(end, match.end(1))
        if end > start:
            parts += [text[done:start], MARK]
            done = end
        return "".join(parts) + text[done:]


def forms_of(value: str) -> Set[str]:
    """Itself, percent- and form-encoded, JSON-escaped, hex, base64 and base64url."""
    data = value.encode("utf-8", "surrogatepass")
    # Bytes read one to a character, as a decoded binary body is searched.
    forms = {value, data.decode("latin-1"), data.hex(), data.hex().upper()}
    escaped = [_percent(data, bare) for bare in _BARE]
    escaped += [each.replace("%20", "+") for each in escaped] + [value.replace(" ", "+")]
    escaped.append("".join(f"%{byte:02X}" for byte in data))
    forms.update(escaped)
    forms.update(_lower_escapes(each) for each in escaped)
    for form in _json_forms(value):
        # JSON carried as a string inside JSON is escaped twice.
        forms |= {form, _json_escape(form)}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for form in _base64_forms(data, encode):
            forms |= {form, form.replace("/", "\\/")}
    forms.discard("")
    return forms


def _percent(data: bytes, bare: str) -> str:
    kept = {ord(each) for each in string.ascii_letters + string.digits + bare}
    return "".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in data)


def _lower_escapes(text: str) -> str:
    return re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), text)


def _json_forms(value: str) -> Set[str]:
    plain = _json_escape(value)
    slashed = plain.replace("/", "\\/")
    html = re.sub("[<>&'\u2028\u2029]", _escapes, plain)
    forms = {plain, slashed, html, _escapes(value), html.replace("+", "\\u002b")}
    forms |= {re.sub("[^\0-\x7e]", _escapes, each) for each in (plain, slashed, html)}
    return forms | {re.sub(r"\\u[0-9a-f]{4}", _upper_escape, each) for each in forms}


def _json_escape(text: str) -> str:
    return stringify(text)[1:-1]


def _escapes(text: Union[str, Match[str]]) -> str:
    """Every UTF-16 unit as `\\u0041`."""
    units = code_units(text if isinstance(text, str) else text[0])
    return "".join(f"\\u{ord(unit):04x}" for unit in units)


def _upper_escape(match: Match[str]) -> str:
    return "\\u" + match[0][2:].upper()


def _base64_forms(data: bytes, encode: Callable[[bytes], bytes]) -> Set[str]:
    whole = encode(data).decode("ascii")
    forms = {whole, whole.rstrip("=")}
    if len(data) >= _ALIGNED_FROM:
        for shift in (0, 1, 2):
            # The characters made of this secret's bits alone.
            text = encode(bytes(shift) + data).decode("ascii").rstrip("=")
            forms.add(text[-(-shift * 8 // 6) : (shift + len(data)) * 8 // 6])
    return forms
