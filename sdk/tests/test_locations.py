"""A diagnostic is at the line of the builder; where its column is known, there."""

from __future__ import annotations

import os
import pickle
import tempfile
import textwrap
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Tuple

from bench_sdk import Flow, FlowError, Mix, Target, draw, profile, ramp, retry
from bench_sdk.arguments import in_python
from bench_sdk.document import document_of
from bench_sdk.load import load_flow

#: Source below the import, and for each diagnostic its line, column and code.
CASES = (
    ('flow = Flow("a b")\nflow.call("x", "GET /")', [(2, 13, "bad-name")]),
    ('flow = Flow("a", profile=profile("laod"))\nflow.call("x", "GET /")', [(2, 34, "unknown-value")]),
    ('p = retry([503, 99], "fixed", 2)\nflow = Flow("a")\nflow.call("x", "GET /", retry=p)', [(2, 17, "out-of-range")]),
    ('flow = Flow("a")\nflow.call("x", "get /")\nflow.wait("y", "5 sec")', [(3, 16, "bad-call"), (4, 16, "bad-duration")]),
    ('flow = Flow("a")\nflow.call("x", "GET /")\nflow.call("x", "GET /")', [(4, 11, "duplicate-id")]),
    ('flow = Flow("a")\nflow.call(\n    "x",\n    "GET /{{ token }}",\n)', [(5, 11, "unresolved-template")]),
    (
        'flow = Flow("a")\nflow.call(\n    "x", "GET /",\n    assert_=["status == 200", "status = 2"],\n)',
        [(5, 39, "assertion-operator")],
    ),
    ('flow = Flow("a")\nflow.call("x", "GET /", body={"n": [1, float("nan")]})', [(3, 40, "number-out-of-range")]),
    ('flow = Flow("a")\nflow.call("x", "GET /", headers={"Bad Name": "1"})', [(3, 35, "bad-header")]),
    ('flow = Flow("a")\nflow.call("é", "GET /", body={"{{ x }}": 1})', [(3, 31, "template-in-key")]),
    ('flow = Flow("a")\nflow.call("x", "GET /", retry={"on_status": [503], "bakoff": "fixed"})', [(3, 52, "unknown-key"), (3, 31, "missing-key")]),
    ('flow = Flow.from_dict({"flow": "a", "steps": "xy"})\nflow.call("a", "GET /")', [(2, 46, "wrong-type")]),
    ('flow = Flow.from_dict({"flow": "a", "steps": None})\nflow.call("a", "GET /")', [(2, 46, "wrong-type")]),
    ('flow = Flow.from_dict({\n    "flow": "a",\n    "steps": [{"id": "x", "cal": "GET /"}],\n})', [(4, 27, "unknown-key")]),
    ('flow = Flow("a")\nflow.step({"id": "x", "call": "GET /"}, capture="al")', [(3, 49, "unknown-value")]),
    ('flow = Flow("a", pools=[pool("p", "rows.txt")])\nflow.call("x", "GET /")', [(2, 35, "bad-fixture")]),
    ('flow = Flow("a")\nflow.call("x", "GET /", extract={"v": from_header("X")}, capture="none")', []),
    ('flow = Flow("a")\nflow.call("x", "GET /", extract={"v": from_body("(")})', [(3, 49, "extract-pattern")]),
    ('def add(flow, to):\n    flow.call(to, "get /")\nflow = Flow("a")\nadd(flow, "é")', [(3, 19, "bad-call")]),
    ('import functools\nflow = Flow("a")\nadd = functools.partial(flow.call, "x")\nadd("get /")', [(5, 1, "bad-call")]),
    (
        'flow = Flow("a")\nflow.graphql("x", """\nquery {\n  me {\n""", url="/graphql")',
        [(5, 6, "graphql-syntax")],
    ),
)


def _line_of(text: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, each in enumerate(file, 1) if each.strip() == text)


class Locations(unittest.TestCase):
    def test_each_diagnostic_is_at_its_argument(self) -> None:
        for source, expected in CASES:
            with self.subTest(source):
                flow, file = self._load(source)
                if not expected:
                    flow.to_json()
                    continue
                with self.assertRaises(FlowError) as caught:
                    flow.to_json()
                found = [(each.line, each.column, each.code) for each in caught.exception.diagnostics]
                self.assertEqual(sorted(found), sorted(expected), caught.exception)
                self.assertEqual({os.path.abspath(each.file) for each in caught.exception.diagnostics}, {file})

    def test_a_flow_reaches_another_process_with_its_locations(self) -> None:
        flow, _ = self._load('flow = Flow("a")\nflow.call("x", "GET /", retry=retry([99], "fixed", 2))')
        mix = Mix("m").add(flow, 2)
        for each in (flow, mix):
            self.assertEqual(pickle.loads(pickle.dumps(each)).document(), each.document())
        target = Target("t", ["http://127.0.0.1:1"])
        self.assertEqual(pickle.loads(pickle.dumps(target)).parameter, target.parameter)

    def test_the_text_is_the_engines_with_a_frame(self) -> None:
        flow, file = self._load('flow = Flow("a")\nflow.call("x", "get /")')
        with self.assertRaises(FlowError) as caught:
            flow.to_json()
        error = caught.exception
        self.assertEqual(os.path.abspath(error.diagnostics[0].file), file)
        self.assertEqual(
            str(error),
            textwrap.dedent(
                f"""\
                {error.diagnostics[0].file}:3:16: error: `call` must be "METHOD /path", but it is "get /"
                  |
                3 | flow.call("x", "get /")
                  |                ^^^^^^^
                  = did you mean "GET /"?"""
            ),
        )
        self.assertEqual((error.code, error.line, error.column), ("bad-call", 3, 16))
        self.assertEqual(error.hint, 'did you mean "GET /"?')

    def test_a_flow_of_several_files_names_each(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self._write(folder, "parts_of_it.py", "from bench_sdk import retry\nagain = retry([99], 'fixed', 2)\n")
            source = 'from parts_of_it import again\nflow = Flow("a")\nflow.call("x", "get /", retry=again)\n'
            path = self._write(folder, "flow.py", START + source)
            with self.assertRaises(FlowError) as caught:
                load_flow(path).to_json()
        found = [(os.path.basename(each.file), each.line) for each in caught.exception.diagnostics]
        self.assertEqual(sorted(found), [("flow.py", 4), ("parts_of_it.py", 2)])
        self.assertIn("again = retry([99]", str(caught.exception))

    def test_a_file_that_is_loaded_anew_is_read_anew(self) -> None:
        flow, path = self._load('flow = Flow("a")\nflow.call("x", "GET /")')
        flow.to_json()
        self._write(os.path.dirname(path), "flow.py", f'{START}\nflow = Flow("a")\nflow.call("another", "get /")\n')
        with self.assertRaises(FlowError) as caught:
            load_flow(path).to_json()
        self.assertEqual((caught.exception.line, caught.exception.column), (4, 22))
        self.assertIn('4 | flow.call("another", "get /")', str(caught.exception))

    def test_a_literal_credential_is_dots(self) -> None:
        for line in (
            'flow = Flow("a", auth=bearer("s3cr3t"))',
            'flow = Flow("a", auth=basic("me", password="s3cr3t"))',
            "flow = Flow(\"a\", auth={'scheme': 'bearer', 'token': 's3cr3t'})",
            'flow = Flow("a", auth=bearer(\n    "s3cr3t"))',
            'flow = Flow("a", auth="s3cr3t")',
            'flow = Flow("a", auth=bearer("{{ s3cr3t"))',
        ):
            with self.subTest(line):
                flow, _ = self._load(f'{line}\nflow.call("x", "GET /")')
                with self.assertRaises(FlowError) as caught:
                    flow.to_json()
                self.assertIn("error:", str(caught.exception))
                self.assertNotIn("s3cr3t", str(caught.exception))
                self.assertNotIn("s3cr3t", repr(caught.exception.diagnostics))

    def test_what_json_cannot_say_raises_at_once(self) -> None:
        flow = Flow("a")
        with self.assertRaisesRegex(TypeError, r"`body\.a\[1\]` is of the type set, which"):
            flow.call("x", "GET /", body={"a": [1, {2}]})
        with self.assertRaisesRegex(TypeError, "the key 1"):
            flow.call("x", "GET /", headers={1: "a"})  # type: ignore[dict-item]

    def test_an_option_that_json_cannot_say_is_named(self) -> None:
        flow = Flow("a")
        flow.call("x", "GET /")
        for name, value in [("seed", object()), ("thresholds", [object()]), ("target", object())]:
            options: dict = {"target": "http://127.0.0.1:1", name: value}
            with self.assertRaisesRegex(TypeError, f"`{name}`: a value of the type object, which JSON cannot say"):
                flow.execute(**options)
        with self.assertRaisesRegex(TypeError, "`env` is of the type object, which JSON cannot say"):
            flow.execute("http://127.0.0.1:1", env=object())  # type: ignore[arg-type]
        with self.assertRaisesRegex(FlowError, "`flow`: expected a `Flow`, got object"):
            Mix("m").add(object(), 1)  # type: ignore[arg-type]

    def test_an_argument_of_the_wrong_type_is_refused_by_its_name(self) -> None:
        flow: Any = Flow("a")
        flow.call("x", "GET /")
        cases = (
            ({"vus": "5"}, '`vus` must be a number, but it is the string "5"'),
            ({"thresholds": "a"}, '`thresholds` must be a list, but it is the string "a"'),
            ({"thresholds": ["a", 5]}, "`thresholds[1]` must be a string, but it is the integer 5"),
            ({"env": ["A"]}, "`env` must be an object, but it is a list"),
            ({"env": {"A": 1}}, "`env.A` must be a string, but it is the integer 1"),
        )
        for given, said in cases:
            with self.subTest(given), self.assertRaises(FlowError) as raised:
                flow.execute("http://127.0.0.1:1", **given)
            self.assertEqual(raised.exception.message, said)

    def test_an_argument_that_is_refused_has_its_line(self) -> None:
        flow: Any = Flow("a")
        flow.call("x", "GET /")
        with self.assertRaises(FlowError) as raised:
            flow.run(
                "http://127.0.0.1:1",
                hold_s=True,
            )
        error, line = raised.exception, _line_of("hold_s=True,")
        self.assertEqual((os.path.basename(error.file), error.line, error.column), ("test_locations.py", line, 17))
        self.assertTrue(str(error).endswith(f"{line} |                 hold_s=True,\n    |                 ^^^^^^"), error)
        with self.assertRaises(FlowError) as raised:
            flow.capacity("http://127.0.0.1:1", start=0, thresholds=["p95(latency) < 1s"])
        self.assertEqual(raised.exception.message, "`start` must be above 0, but it is the integer 0")
        # The line of a thread pool says nothing.
        with self.assertRaises(FlowError) as raised, ThreadPoolExecutor() as pool:
            pool.submit(flow.execute, "http://127.0.0.1:1", vus=-1).result()
        self.assertEqual(str(raised.exception), "`vus` must be at least 1, but it is the integer -1")

    def test_flags_are_arguments_in_what_the_engine_says(self) -> None:
        cases = (
            ("name the store with --store, or its path", "name the store with `store`, or its path"),
            ("give a target: --target <name|file>", "give a target: `target`"),
            ("for one run --hold 1m", "for one run `hold_s=60`"),
            ("give it --rate 50/s, `--http 1.1`.", 'give it `rate="50/s"`, `http="1.1"`.'),
            ("see `--cert` and `--key`", "see `cert` and `key`"),
            ("`mode: load` in the profile, or --mode load", '`mode: load` in the profile, or `mode="load"`'),
            ('for example --threshold "a" --threshold "b"', 'for example `thresholds=["a", "b"]`'),
            ("accept it with --tolerate-lost 2", "accept it with `tolerate_lost=2`"),
            ("--unknown, --vus-too\n12 | --vus 3", "--unknown, --vus-too\n12 | --vus 3"),
        )
        for said, shown in cases:
            self.assertEqual(in_python(said), shown)

    def test_what_holds_itself_raises_at_once(self) -> None:
        items: list = []
        items.append({"again": items})
        with self.assertRaisesRegex(TypeError, r"`body\[0\]\.again` is the list that holds it, which JSON cannot say"):
            Flow("a").call("x", "POST /", body=items)
        twice: dict = {"n": 1}
        flow = Flow("a")
        flow.call("x", "POST /", body=[twice, twice])
        self.assertIn(b'"body":[{"n":1},{"n":1}]', flow.to_json())

    def test_what_is_nested_too_deep_is_refused_at_its_line(self) -> None:
        for levels in (62, 3000):
            source = f'deep = 1\nfor _ in range({levels}):\n    deep = [deep]\nflow = Flow("a")\nflow.call("x", "POST /", body=deep)'
            flow, _ = self._load(source)
            with self.assertRaisesRegex(FlowError, "nested more than 64 levels deep") as caught:
                flow.to_json()
            self.assertEqual((caught.exception.line, caught.exception.column), (6, 31))

    def test_integers_keep_their_digits_however_few_python_may_write(self) -> None:
        zeros = "0" * 5000
        flow = Flow("a", profile=profile(vus=ramp(10**5000, 1, "1s")), values={"n": draw.int(1, 10**5000)})
        flow.call("x", "POST /", body={"n": [10**5000, -(10**5000)]}, query={"n": 10**5000})
        document = flow.document()
        self.assertEqual(document["value"]["profile"]["vus"]["ramp"], f"1{zeros} -> 1 over 1s")
        self.assertEqual(document["value"]["values"]["n"]["int"], f"1..1{zeros}")
        sent = Flow("a")
        sent.call("x", "POST /", body={"n": [10**5000, -(10**5000)]}, query={"n": 10**5000})
        self.assertIn(f'"body":{{"n":[1{zeros},-1{zeros}]}}'.encode(), sent.to_json())
        self.assertIn(f'"query":{{"n":"1{zeros}"}}'.encode(), sent.to_json())
        longer = Flow("a")
        longer.call("x", "POST /", body=10**10_000)
        with self.assertRaises(FlowError) as caught:
            longer.to_json()
        self.assertEqual(caught.exception.code, "number-out-of-range")
        self.assertLess(len(str(caught.exception)), 1000)

    def test_what_is_changed_afterwards_changes_no_step(self) -> None:
        flow, body = Flow("a"), {"n": [1]}
        flow.call("x", "POST /", body=body)
        body["n"].append(2)
        self.assertIn(b'"body":{"n":[1]}', flow.to_json())

    def test_a_flow_without_a_file_has_lines_and_no_frames(self) -> None:
        names: dict = {"Flow": Flow}
        exec(compile('flow = Flow("a")\nflow.call("x", "get /")', "<stdin>", "exec"), names)
        with self.assertRaises(FlowError) as caught:
            names["flow"].to_json()
        self.assertEqual((caught.exception.file, caught.exception.line), ("<stdin>", 2))

    def test_builders_make_mappings_with_the_keys_of_a_flow_file(self) -> None:
        self.assertEqual(dict(retry([503], "fixed", 2)), {"on_status": [503], "backoff": "fixed", "max_attempts": 2})
        self.assertEqual(dict(profile("load", vus=2)), {"mode": "load", "vus": 2})
        self.assertEqual(document_of(retry([1], "fixed", 2))["value"]["on_status"], [1])

    def _load(self, source: str) -> Tuple[Flow, str]:
        folder = tempfile.mkdtemp()
        self.addCleanup(lambda: __import__("shutil").rmtree(folder))
        path = self._write(folder, "flow.py", f"{START}{source}\n")
        return load_flow(path), path

    def _write(self, folder: str, name: str, text: str) -> str:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


START = "from bench_sdk import *\n"
