"""Hosts and target files, each by a table."""

from __future__ import annotations

import os
import tempfile
import unittest

from bench_sdk import InputError, Target
from bench_sdk.wire.host import normalize_host

#: As it is written, and its one spelling.
HOSTS = (
    ("EXAMPLE.com.", "example.com"),
    ("127.1", "127.0.0.1"),
    ("0x7f000001", "127.0.0.1"),
    ("017700000001", "127.0.0.1"),
    ("[::1]", "::1"),
    ("[2001:DB8:0:0:1:0:0:1]", "2001:db8::1:0:0:1"),
    ("[::]", "::"),
    ("[::ffff:127.0.0.1]", "::ffff:7f00:1"),
    ("bücher.de", "xn--bcher-kva.de"),
)


class Text(unittest.TestCase):
    def test_hosts_have_one_spelling(self) -> None:
        for written, spelling in HOSTS:
            self.assertEqual(normalize_host(written), spelling)
        for written in ("", "a b", "a%2eb", "::1", "[::1", "256.1.1.1.1", "a..b", "1.2.3.999"):
            with self.assertRaises(ValueError, msg=written):
                normalize_host(written)

    def test_plain_target_files_are_read(self) -> None:
        text = "name: a # here\nbase_urls:\n- 'http://a:1/x'\n- http://c\nmax_rps: 5\nrequest_timeout: 0\n"
        target = self._read(text)
        self.assertEqual(target.base_urls, ["http://a:1/x", "http://c"])
        self.assertEqual((target.max_rps, target.request_timeout_us), (5, 30_000_000))
        self.assertEqual(self._read(target.to_text()).base_urls, target.base_urls)

    def test_richer_target_files_are_refused_with_their_line(self) -> None:
        with self.assertRaises(InputError) as caught:
            self._read("base_urls: [http://a]\nname: &x a\n")
        self.assertEqual((caught.exception.code, caught.exception.line), ("target-form", 2))

    def _read(self, text: str) -> Target:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "target.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return Target.read(path)
