"""A mistake raises at the line that makes it."""

from __future__ import annotations

import os
import tempfile
import unittest

from bench_sdk.load import FlowFileError, load_flow

#: Source, the line at fault, and the rule.
MISTAKES = (
    ('flow = Flow("a b")\n', 2, "bad-name"),
    ('flow = Flow("a", profile=profile("laod"))\n', 2, "unknown-value"),
    ('p = profile("load")\nflow = Flow("a", profile=p)\n', 2, "unbounded-run"),
    ('p = retry([99], "fixed", 2)\nflow = Flow("a")\n', 2, "out-of-range"),
    ('p = bearer("literal")\nflow = Flow("a", auth=p)\nflow.call("x", "GET /")\n', 2, "secret-not-env"),
    ('flow = Flow("a")\nflow.call("x", "get /")\nflow.call("x", "GET /")\n', 3, "bad-call"),
    ('flow = Flow("a")\nflow.call("x", "GET /")\nflow.call("x", "GET /")\n', 4, "duplicate-id"),
    ('flow = Flow("a")\nflow.call("x", "GET /{{ token }}")\n', 3, "unresolved-template"),
    ('flow = Flow("a")\nflow.call("x", "GET /", assert_=["status > null"])\n', 3, "assertion-null"),
    ('flow = Flow("a")\nflow.call("x", "GET /", body=float("nan"))\n', 3, "number-out-of-range"),
    ('flow = Flow("a")\nflow.wait("x", "5 sec")\n', 3, "bad-duration"),
    ('flow = Flow("a")\nflow.ws("x", send={})\n', 3, "session-not-open"),
    ('flow = Flow("a"\n', 2, "python"),
    ('flow = 1\n', 0, "no-flow"),
)


class Mistakes(unittest.TestCase):
    def test_each_is_told_at_its_line(self) -> None:
        for source, line, code in MISTAKES:
            with tempfile.TemporaryDirectory() as folder, self.subTest(source):
                path = os.path.join(folder, "flow.py")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"from bench_sdk import *\n{source}")
                with self.assertRaises(FlowFileError) as caught:
                    load_flow(path)
                error = caught.exception
                self.assertEqual(error.cause.code, code)
                if code != "python":
                    self.assertEqual(error.line, line)
