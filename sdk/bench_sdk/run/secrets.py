"""Values that no result may show, in every spelling they travel in."""

from __future__ import annotations

import base64
import json
import re
from typing import Callable, List, Optional, Pattern, Set
from urllib.parse import quote

MARK = "[redacted]"
#: From this many bytes on, a secret is also looked for inside longer base64.
_ALIGNED_FROM = 6
#: The beginning of a secret at a cut is looked for from this length on.
_SHORTEST_CUT = 4
#: What different encoders leave bare: strict, as a URL sends it, encodeURIComponent, forms.
_BARE = ("-._~", "-._~:/?#[]@!$&'()*+,;=%", "-_.!~*'()", ";,/?:@&=+$-_.!~*'()#", "*-._")


class Secrets:
    """Registering is allowed at any time; a value counts from the next `scrub` on."""

    def __init__(self) -> None:
        self._words: Set[str] = set()
        self._values: Set[str] = set()
        self._pattern: Optional[Pattern[str]] = None

    def register(self, value: str) -> None:
        """Registers a value in all its forms; an empty one is skipped."""
        if value and value not in self._values:
            self._values.add(value)
            self._words |= forms_of(value)
            self._pattern = None

    def scrub(self, text: str) -> str:
        """`text` with every form of every secret replaced by `[redacted]`."""
        if not self._words or not text:
            return text
        if self._pattern is None:
            longest = sorted(self._words, key=len, reverse=True)
            # Looked at from every place, so that words that overlap go as one stretch.
            self._pattern = re.compile(f"(?=({'|'.join(map(re.escape, longest))}))")
        return MARK.join(self._piece(piece, self._pattern) for piece in text.split(MARK))

    def scrub_cut(self, text: str) -> str:
        """As `scrub`, for text that was cut off: the beginning of a secret at the
        cut goes as well, from four characters on.
        """
        scrubbed = self.scrub(text)
        if scrubbed.endswith(MARK) or not self._words:
            return scrubbed
        longest = max(map(len, self._words))
        for at in range(max(0, len(scrubbed) - longest), len(scrubbed) - _SHORTEST_CUT + 1):
            if any(word.startswith(scrubbed[at:]) for word in self._words):
                return scrubbed[:at] + MARK
        return scrubbed

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
    forms = {value, data.decode("latin-1"), data.hex(), data.hex().upper()}
    escaped = [quote(data, safe=bare) for bare in _BARE] + [quote(data, safe="")]
    escaped += [each.replace("%20", "+") for each in escaped] + [value.replace(" ", "+")]
    escaped.append("".join(f"%{byte:02X}" for byte in data))
    forms.update(escaped)
    forms.update(_lower_escapes(each) for each in escaped)
    for form in _json_forms(value):
        forms |= {form, json.dumps(form, ensure_ascii=False)[1:-1]}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        forms |= _base64_forms(data, encode)
    forms.discard("")
    return {form for form in forms if MARK not in form}


def _lower_escapes(text: str) -> str:
    return re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), text)


def _json_forms(value: str) -> Set[str]:
    plain = json.dumps(value, ensure_ascii=False)[1:-1]
    forms = {plain, plain.replace("/", "\\/"), json.dumps(value)[1:-1]}
    html = re.sub("[<>&'\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", plain)
    forms |= {html, html.replace("+", "\\u002b")}
    forms |= {re.sub(r"\\u[0-9a-f]{4}", lambda m: "\\u" + m[0][2:].upper(), each) for each in forms}
    return forms


def _base64_forms(data: bytes, encode: Callable[[bytes], bytes]) -> Set[str]:
    whole = encode(data).decode("ascii")
    forms = {whole, whole.rstrip("="), whole.replace("/", "\\/")}
    if len(data) >= _ALIGNED_FROM:
        for shift in (0, 1, 2):
            # The characters made of this secret's bits alone.
            text = encode(bytes(shift) + data).decode("ascii").rstrip("=")
            forms.add(text[-(-shift * 8 // 6) : (shift + len(data)) * 8 // 6])
    return forms
