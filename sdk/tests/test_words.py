"""What a type checker, a notebook and a person who mistypes are told."""

from __future__ import annotations

import inspect
import json
import subprocess
import traceback
import unittest
from typing import Any, Iterator, get_args

from bench_sdk import Flow, FlowError, api_key, pool, profile, retry, words
from bench_sdk.engine import find_engine
from bench_sdk.options import RunOptions


def _enums(schema: Any) -> Iterator[frozenset]:
    if isinstance(schema, dict):
        if "enum" in schema:
            yield frozenset(each for each in schema["enum"] if isinstance(each, str))
        for each in schema.values():
            yield from _enums(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _enums(each)


class Words(unittest.TestCase):
    def test_the_words_of_arguments_are_those_of_a_flow_file(self) -> None:
        printed = subprocess.run([*find_engine(), "schema", "flow"], capture_output=True, check=True)
        known = set(_enums(json.loads(printed.stdout)))
        # Those of a run are no part of a flow.
        own = {name: get_args(each) for name, each in vars(words).items() if name[0].isupper() and name != "Literal"}
        for name in ("HttpVersion", "Arrivals", "Contract"):
            own.pop(name)
        self.assertEqual([name for name, each in own.items() if frozenset(each) not in known], [])
        self.assertEqual(len(own), 13)

    def test_an_argument_that_there_is_not_says_what_is_meant(self) -> None:
        flow: Any = Flow("f")
        builder: Any = profile
        cases = (
            (lambda: flow.call("a", "GET /", asserts=["status == 200"]), "assert_"),
            (lambda: flow.call("a", "GET /", expect=["status == 200"]), "assert_"),
            (lambda: flow.call("a", "POST /", json={}), "body"),
            (lambda: flow.call("a", "GET /", params={}), "query"),
            (lambda: flow.poll("a", "GET /", untill=["status == 200"], interval="1s"), "until"),
            (lambda: flow.setup.call("a", "GET /", header={}), "headers"),
            (lambda: builder("load", duration="1m"), "hold"),
            (lambda: Flow("f", cookie="vu"), "cookies"),
            (lambda: pool("p", "p.csv", distributon="random"), "distribution"),
            (lambda: retry([503], "fixed", attempts=3), "max_attempts"),
            (lambda: api_key("k", "v", within="query"), None),
        )
        for made, meant in cases:
            hint = rf"\. Did you mean '{meant}'\?$" if meant else "$"
            with self.assertRaisesRegex(TypeError, rf"got an unexpected keyword argument '\w+'{hint}"):
                made()

    def test_a_type_checker_knows_every_argument_of_a_run(self) -> None:
        known = {name: each.__forward_arg__ for name, each in RunOptions.__annotations__.items()}
        taken = inspect.signature(Flow.execute).parameters
        self.assertEqual(known, {name: each.annotation for name, each in taken.items() if name not in ("self", "target")})
        typed = {"run": "RunOptions", "duel": "LoadOptions", "capacity": "LoadOptions"}
        for name, options in typed.items():
            last = list(inspect.signature(getattr(Flow, name)).parameters.values())[-1]
            self.assertEqual((last.kind, last.annotation), (last.VAR_KEYWORD, f"Unpack[{options}]"))

    def test_a_flow_shows_its_steps(self) -> None:
        flow = Flow("shop")
        flow.call("<home>", "GET /")
        flow.wait("pause", "1s")
        self.assertEqual(repr(flow), "<Flow shop: 2 steps>")
        self.assertIn("<td>&lt;home&gt;</td><td>call</td></tr><tr><td>pause</td><td>wait</td>", flow._repr_html_())
        self.assertEqual(repr(Flow.from_dict({"flow": "f", "steps": [{"id": "a", "call": "GET /"}]})), "<Flow f: 1 step>")

    def test_pytest_ends_a_traceback_at_the_line_of_the_caller(self) -> None:
        flow: Any = Flow("a b")
        flow.call("a", "GET /")
        cases = (
            flow.to_json,
            lambda: flow.execute("http://127.0.0.1:9"),
            lambda: flow.run("http://127.0.0.1:9"),
            lambda: flow.call("b", "GET /", asserts=[]),
            lambda: flow.call("b", "GET /", body={1: 2}),
        )
        for case in cases:
            shown = set()
            try:
                case()
            except (FlowError, TypeError) as error:
                for frame, _ in traceback.walk_tb(error.__traceback__):
                    if not frame.f_globals.get("__tracebackhide__"):
                        shown.add(frame.f_globals["__name__"])
            self.assertEqual(shown, {__name__})
