"""What a type checker, a notebook and a person who mistypes are told."""

from __future__ import annotations

import inspect
import json
import pickle
import subprocess
import traceback
import unittest
from collections import deque
from datetime import date
from typing import Any, Iterator, Set, Tuple, get_args

import bench_sdk
from bench_sdk import (
    Diagnostic, EngineError, Flow, FlowError, Mix, RunFailure, Target, api_key, pool, profile, retry, words,
)
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


def _schema(of: str) -> Any:
    printed = subprocess.run([*find_engine(), "schema", of], capture_output=True, check=True)
    return json.loads(printed.stdout)


def _keys_taken_by(builder: Any) -> Set[str]:
    names = inspect.signature(builder).parameters
    return {name.rstrip("_") for name in names if name not in ("self", "options")}


def _keys_of_steps(step: Any) -> Iterator[Tuple[str, Set[str]]]:
    """Each action key, and what a builder has to take for it."""
    actions = {each["required"][0] for each in step["oneOf"]}
    for form in step["oneOf"]:
        action = form["required"][0]
        refused = {key for key, each in form.get("properties", {}).items() if each is False}
        beside = set(step["properties"]) - actions - refused
        block = step["properties"][action].get("properties")
        inside = {action} if block is None else set(block)
        in_one_place = {each["not"]["required"][0] for each in form.get("allOf", ())}
        # What is said in both means two things.
        twice = (beside & inside) - in_one_place
        yield action, beside | inside | {f"attempt_{key}" for key in twice}


class Keys(unittest.TestCase):
    """The builders take the keys of a flow file, all of them and no others."""

    flow: Any
    step: Any
    schemes: Any

    @classmethod
    def setUpClass(cls) -> None:
        schema = _schema("flow")
        cls.flow = schema["else"]["properties"]
        cls.step = schema["$defs"]["steps"]["items"]
        cls.schemes = schema["$defs"]["auth"]["oneOf"]

    def test_of_each_step(self) -> None:
        for action, keys in _keys_of_steps(self.step):
            with self.subTest(action):
                self.assertEqual(_keys_taken_by(getattr(Flow, action)), keys)

    def test_of_each_scheme(self) -> None:
        schemes = {each["properties"]["scheme"]["const"]: set(each["properties"]) for each in self.schemes}
        builders = {name: getattr(bench_sdk, "no_auth" if name == "none" else name) for name in schemes}
        self.assertEqual({name: {"scheme", *_keys_taken_by(each)} for name, each in builders.items()}, schemes)

    def test_of_the_flow_and_its_blocks(self) -> None:
        flow, step = self.flow, self.step["properties"]
        profile = flow["profile"]["properties"]
        blocks = (
            # Steps are added, and a program needs no version.
            (Flow, {*flow} - {"version", "steps", "setup", "teardown", "flow"} | {"name"}),
            (bench_sdk.profile, {*profile}),
            (bench_sdk.ramp, {*profile["vus"]["anyOf"][1]["properties"]} - {"ramp"} | {"start", "end", "over"}),
            (bench_sdk.stage, {*profile["stages"]["items"]["properties"]}),
            (bench_sdk.pool, {"name", *flow["pools"]["additionalProperties"]["properties"]}),
            (bench_sdk.retry, {*step["retry"]["properties"]}),
            (bench_sdk.throttle, {*step["throttle"]["properties"]}),
            (bench_sdk.from_css, {*step["extract"]["additionalProperties"]["anyOf"][1]["properties"]} - {"from"}),
            (bench_sdk.Target, {*_schema("target")["properties"]}),
        )
        for builder, keys in blocks:
            with self.subTest(builder):
                self.assertEqual(_keys_taken_by(builder), keys)


class Words(unittest.TestCase):
    def test_the_words_of_arguments_are_those_of_a_flow_file(self) -> None:
        known = set(_enums(_schema("flow")))
        # Those of a run are no part of a flow.
        own = {name: get_args(each) for name, each in vars(words).items() if name[0].isupper() and name != "Literal"}
        for name in ("HttpVersion", "Arrivals", "Contract"):
            own.pop(name)
        self.assertEqual([name for name, each in own.items() if frozenset(each) not in known], [])
        self.assertEqual(len(own), 13)

    def test_an_argument_that_there_is_not_says_what_is_meant(self) -> None:
        flow: Any = Flow("f")
        builder: Any = profile
        compared: Any = bench_sdk.compare
        cases = (
            (lambda: flow.call("a", "GET /", asserts=["status == 200"]), "assert_"),
            (lambda: flow.call("a", "GET /", expect=["status == 200"]), "assert_"),
            (lambda: flow.call("a", "POST /", json={}), "body"),
            (lambda: flow.call("a", "GET /", params={}), "query"),
            (lambda: flow.poll("a", "GET /", untill=["status == 200"], interval="1s"), "until"),
            (lambda: flow.setup.call("a", "GET /", header={}), "headers"),
            (lambda: builder("load", duration="1m"), "hold"),
            (lambda: builder("load", run_time="1m"), "hold"),
            (lambda: flow.execute("here", mode="load", duration=60), "hold_s"),
            (lambda: flow.duel("here", "there", duration=60), "for_s"),
            (lambda: Flow("f", cookie="vu"), "cookies"),
            (lambda: Flow("f", vus=10), "profile"),
            (lambda: pool("p", "p.csv", distributon="random"), "distribution"),
            (lambda: retry([503], "fixed", attempts=3), "max_attempts"),
            (lambda: flow.step(id="a", call="GET /"), "step"),
            (lambda: flow.call("a", url="GET /"), "call"),
            (lambda: flow.validate(modee="load"), "mode"),
            (lambda: Target("t", url="http://127.0.0.1:1"), "base_urls"),
            (lambda: compared("latest", base=["a"]), "with_"),
            (lambda: api_key("k", "v", within="query"), None),
        )
        for made, meant in cases:
            hint = rf"\. Did you mean '{meant}'\?$" if meant else ": it takes 'name', 'value', 'in_'$"
            with self.assertRaisesRegex(TypeError, rf"got an unexpected keyword argument '\w+'{hint}"):
                made()

    def test_an_argument_that_is_missing_or_one_too_many_is_named(self) -> None:
        flow: Any = Flow("f")
        build: Any = bench_sdk
        cases = (
            (lambda: flow.call("GET /"), "call() is missing the argument 'call'. The first one is the id of the step"),
            (lambda: flow.poll("a", "GET /"), "poll() is missing the arguments 'until' and 'interval'"),
            (lambda: flow.grpc("a", "p.S/M"), "grpc() is missing the argument 'proto'"),
            (lambda: build.Flow(), "Flow() is missing the argument 'name'"),
            (lambda: build.stage(vus=3), "stage() is missing the argument 'over'"),
            (
                lambda: flow.call("a", "GET", "/x"),
                "call() takes 'id' and 'call' without a name, but got 3: write name=value for the others",
            ),
            (
                lambda: build.stage(3, over="1s"),
                "stage() takes no argument without a name, but got 1: write name=value for the others",
            ),
        )
        for made, said in cases:
            with self.assertRaises(TypeError) as raised:
                made()
            self.assertEqual(str(raised.exception), said)

    def test_a_method_of_another_library_is_met_with_the_one_that_is_meant(self) -> None:
        flow: Any = Flow("f")
        cases = (
            (lambda: flow.get("/"), """'get'. Did you mean call("id", "GET /path")?"""),
            (lambda: flow.setup.post("/"), """'post'. Did you mean call("id", "POST /path")?"""),
            (lambda: flow.sleep(1), """'sleep'. Did you mean wait("id", "1s")?"""),
            (lambda: flow.on_start, "'on_start'"),
        )
        for made, said in cases:
            with self.assertRaises(AttributeError) as raised:
                made()
            self.assertEqual(str(raised.exception), f"'Flow' object has no attribute {said}")

    def test_a_type_checker_knows_every_argument_of_a_run(self) -> None:
        known = {name: each.__forward_arg__ for name, each in RunOptions.__annotations__.items()}
        taken = inspect.signature(Flow.execute).parameters
        self.assertEqual(known, {name: each.annotation for name, each in taken.items() if name not in ("self", "target")})
        typed = {"run": "RunOptions", "duel": "LoadOptions", "capacity": "LoadOptions"}
        for name, options in typed.items():
            last = list(inspect.signature(getattr(Flow, name)).parameters.values())[-1]
            self.assertEqual((last.kind, last.annotation), (last.VAR_KEYWORD, f"Unpack[{options}]"))

    def test_an_error_reaches_another_process_whole(self) -> None:
        diagnostic = Diagnostic("f.py", 3, 1, "error", "bad-url", "no URL", None)
        for error in (
            FlowError("f.py:3:1: error: no URL", [diagnostic]),
            FlowError("no such run", [], "see `bench runs`"),
            RunFailure("the run failed", {"verdict": "fail"}),
            EngineError("it ended", "start it anew"),
        ):
            taken = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(taken), str(taken)), (type(error), str(error)))
            self.assertEqual(vars(taken), vars(error))

    def test_any_sequence_is_a_list_and_bytes_are_none(self) -> None:
        flow = Flow("lists")
        given: Any = {"ids": range(3), "last": deque([1])}
        flow.call("a", "POST /", body=given, retry=retry(range(502, 505), "fixed", 2))
        [step] = flow.document()["value"]["steps"]
        self.assertEqual(step["body"], {"ids": [0, 1, 2], "last": [1]})
        self.assertEqual(step["retry"]["on_status"], [502, 503, 504])
        for each in (b"ab", bytearray(b"ab"), memoryview(b"ab")):
            with self.assertRaisesRegex(TypeError, "which JSON cannot say"):
                flow.call("b", "POST /", body=each)

    def test_what_json_cannot_say_is_met_with_what_it_can(self) -> None:
        flow: Any = Flow("f")
        cases = (
            ({"body": {"day": date(2026, 1, 1)}}, "`body.day` is of the type date, which JSON cannot say: give str(...) of it"),
            ({"body": {"tags": {1}}}, "`body.tags` is of the type set, which JSON cannot say: give list(...) of it"),
            ({"text": b"ab"}, "`text` is of the type bytes, which JSON cannot say: give .decode(), its text"),
            ({"auth": bench_sdk.bearer}, "`auth` is the function bearer itself: call it, bearer(...)"),
        )
        for given, said in cases:
            with self.assertRaises(TypeError) as raised:
                flow.call("a", "POST /", **given)
            self.assertEqual(str(raised.exception), said)

    def test_a_mix_has_the_steps_that_a_flow_is_given_later(self) -> None:
        flow = Flow("shop")
        flow.call("home", "GET /")
        mix = Mix("evening").add(flow, 2)
        flow.call("item", "GET /items/1")
        [part] = mix.document()["value"]["flows"]
        self.assertEqual([each["id"] for each in part["flow"]["steps"]], ["home", "item"])
        self.assertEqual(repr(pickle.loads(pickle.dumps(mix))), "<Mix evening: 1 flow>")
        self.assertIn("<td>shop</td><td>2</td>", mix._repr_html_())

    def test_a_flow_shows_its_steps(self) -> None:
        flow = Flow("shop")
        flow.call("<home>", "GET /")
        flow.wait("pause", "1s")
        self.assertEqual(repr(flow), "<Flow shop: 2 steps>")
        self.assertIn("<td>&lt;home&gt;</td><td>call</td></tr><tr><td>pause</td><td>wait</td>", flow._repr_html_())
        self.assertEqual(repr(Target("demo", ["http://127.0.0.1:1"])), "<Target demo>")
        self.assertEqual(repr(Flow.from_dict({"flow": "f", "steps": [{"id": "a", "call": "GET /"}]})), "<Flow f: 1 step>")
        self.assertEqual(repr(Flow.from_dict({"flow": "f", "steps": 5})), "<Flow f: 0 steps>")

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
