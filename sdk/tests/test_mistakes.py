"""A mistake is told at its place, with the way out."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import unittest

from bench_sdk import FlowError, basic
from bench_sdk.__main__ import main
from bench_sdk.load import FlowFileError, load_flow

START = "from bench_sdk import *\n"
#: Source behind `START`, line and column at fault, the rule, and a part of the hint.
MISTAKES = (
    ('flow = Flow("a b")\n', 2, 13, "bad-name", "for example `a_b`"),
    ('flow = Flow("a", profile=profile("laod"))\n', 2, 34, "unknown-value", "did you mean `load`?"),
    ('p = profile("load")\nflow = Flow("a", profile=p)\n', 2, 1, "unbounded-run", None),
    ('p = retry([99], "fixed", 2)\nflow = Flow("a")\n', 2, 1, "out-of-range", None),
    ('p = bearer("literal")\nflow = Flow("a", auth=p)\n', 2, 12, "secret-not-env", "{{ env.TOKEN }}"),
    ('flow = Flow("a")\nflow.call("x", "get /")\n', 3, 16, "bad-call", 'did you mean "GET /"?'),
    ('flow = Flow("a")\nflow.call("x", "GET /")\nflow.call("x", "GET /")\n', 4, 1, "duplicate-id", "own"),
    ('flow = Flow("a")\nflow.call("x", "GET /{{ token }}")\n', 3, 16, "unresolved-template", None),
    (
        'flow = Flow("a", data="u.csv")\nflow.call("x", "GET /{{ usr.id }}")\n',
        *(3, 16, "unresolved-template", "did you mean `user`?"),
    ),
    (
        'flow = Flow("a")\nflow.call(\n  "x", "GET /",\n  assert_=["status == 200", "status = 2"],\n)\n',
        *(5, 29, "assertion-operator", "did you mean `==`?"),
    ),
    ('flow = Flow("a")\nflow.call("x", "GET /", assert_="status == 2")\n', 3, 33, "wrong-type", '["status == 2"]'),
    ('flow = Flow("a")\nflow.call("x", "GET /", body=float("nan"))\n', 3, 1, "number-out-of-range", "quote it"),
    ('flow = Flow("a")\nflow.call("x", "GET /", headers=["a"])\n', 3, 33, "wrong-type", None),
    ('flow = Flow("a")\nflow.call("x", "GET /", retry=5)\n', 3, 31, "wrong-type", "keys: on_status"),
    ('flow = Flow("a")\nflow.wait("x", "5 sec")\n', 3, 16, "bad-duration", None),
    ('flow = Flow("a")\nflow.wait("x", 5)\n', 3, 1, "bad-duration", "did you mean 5s or 5ms?"),
    ('flow = Flow("a")\nflow.ws("x", send={})\n', 3, 1, "session-not-open", None),
    ('flow = Flow("a")\nflow.call(\n  "x", "GET /",\n  hedaers={},\n)\n', 5, 3, "unknown-key", "did you mean `headers`?"),
    ('flow = Flow("a", proflie={})\n', 2, 18, "unknown-key", "did you mean `profile`?"),
    ('p = profile("load", vuss=1)\nflow = Flow("a")\n', 2, 21, "unknown-key", "did you mean `vus`?"),
    ('flow = Flow("a")\nflow.poll("x", "GET /", until=["status == 2"])\n', 3, 1, "missing-key", None),
    ('flow = Flow("a")\nflow.cal("x", "GET /")\n', 3, 1, "python", "did you mean `call`?"),
    ('flow = Flow("a", auth=beerer("{{ env.T }}"))\n', 2, 1, "python", "did you mean `bearer`?"),
    ('def add(flow, to):\n  flow.call(to, "get /")\nflow = Flow("a")\nadd(flow, "é")\n', 3, 17, "bad-call", "GET /"),
    ("flow = 1\n", 0, 0, "no-flow", "for example"),
)


class Mistakes(unittest.TestCase):
    def test_each_is_told_at_its_place_with_the_way_out(self) -> None:
        for source, line, column, code, hint in MISTAKES:
            with tempfile.TemporaryDirectory() as folder, self.subTest(source):
                error = self._load(folder, START + source)
                self.assertEqual(error.cause.code, code)
                place = (error.place.line, error.place.column) if error.place else (0, 0)
                self.assertEqual(place, (line, column))
                self.assertIn(hint or "", error.cause.hint or "")

    def test_a_file_that_is_no_python_is_told_at_its_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            error = self._load(folder, f'{START}flow = Flow("a"\n')
        self.assertEqual((error.cause.code, error.place and error.place.line), ("python", 2))

    def test_a_name_that_is_not_imported_says_the_import(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = 'from bench_sdk import Flow\nflow = Flow("a", profile=profile("load"))\n'
            error = self._load(folder, source)
        self.assertEqual(error.cause.hint, "from bench_sdk import profile")

    def test_the_frame_marks_the_argument(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            error = self._load(folder, f'{START}flow = Flow("a")\n\tflow.call("x", 1)\n'.replace("\t", ""))
            told = self._compile(folder, f'{START}flow = Flow("a")\nflow.call("x", "GET /", retry=5)\n')
        self.assertEqual(error.cause.code, "wrong-type")
        file = os.path.join(folder, "flow.py")
        self.assertEqual(
            told,
            f"{file}:3:31: error: `retry` must be a mapping, but it is the number 5\n"
            "  |\n"
            '3 | flow.call("x", "GET /", retry=5)\n'
            "  |                               ^\n"
            "  = keys: on_status, backoff, max_attempts, base_delay\n",
        )

    def test_a_literal_credential_is_dots(self) -> None:
        lines = (
            'flow = Flow("a", auth=bearer("s3cr3t"))\nflow.call("x", "GET /")\n',
            'flow = Flow("a")\nflow.call("x", "GET /", auth=basic("me", password="s3cr3t"), oops=1)\n',
            "flow = Flow(\"a\", auth={'scheme': 'bearer', 'token': 's3cr3t'}, oops=1)\n",
            'flow = Flow("a", auth=bearer("s3cr3t"\n',
            'flow = Flow("a", auth="s3cr3t")\n',
            'flow = Flow("a")\nflow.call("x", "https://me:s3cr3t@h/")\n',
            'flow = Flow("a", auth=bearer("{{ s3cr3t"))\n',
        )
        for line in lines:
            with tempfile.TemporaryDirectory() as folder, self.subTest(line):
                told = self._compile(folder, START + line)
                self.assertIn("error:", told)
                self.assertNotIn("s3cr3t", told)

    def test_a_credential_that_is_a_number_is_shown_no_more(self) -> None:
        with self.assertRaises(FlowError) as caught:
            basic("me", 424242)  # type: ignore[arg-type]
        self.assertEqual(caught.exception.code, "secret-not-env")
        self.assertNotIn("424242", str(caught.exception))

    def _load(self, folder: str, source: str) -> FlowFileError:
        with self.assertRaises(FlowFileError) as caught:
            load_flow(self._write(folder, source))
        return caught.exception

    def _compile(self, folder: str, source: str) -> str:
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            self.assertEqual(main(["compile", self._write(folder, source)]), 2)
        return told.getvalue()

    def _write(self, folder: str, source: str) -> str:
        path = os.path.join(folder, "flow.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        return path
