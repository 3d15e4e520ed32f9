"""The plugin, under the real pytest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from typing import Any, Optional, Tuple

from .http_server import Server

SDK = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

FLOWS = '''\
from bench_sdk import Flow, profile
from helpers import shared, shared as test_shared

flow = Flow("shop", data="users.csv")
flow.call("item", "GET /items/{{ user.id }}", assert_=["$.path != /items/2"])

plain = Flow("plain")
plain.call("home", "GET /")

load = Flow("load", profile=profile("load", iterations=5, thresholds=["error_rate <= 0"]))
load.call("home", "GET /{{ env.BENCH_TEST_PAGE }}")


def test_of_python(bench_target):
    assert plain.execute(bench_target).passed
'''
HELPERS = 'from bench_sdk import Flow\nshared = Flow("shared")\nshared.call("home", "GET /")\n'
FILES = {
    "test_shop.py": FLOWS,
    "helpers.py": HELPERS,
    "users.csv": "name,id\nada,1\ngrace,2\nkatherine,3\n",
    "login.bench.yaml": "flow: login\nsteps:\n  - id: a\n    call: POST /login\n    assert: [status == 201]\n",
    "secret.bench.yml": "flow: s\ndata: keys.csv\nsteps: [{ id: a, call: 'GET /{{ user.id }}' }]\n",
    "keys.csv": "api_key,id\nabc,1\ndef,2\n",
}


def _python() -> Optional[str]:
    """A Python with pytest: the system's, else this one."""
    for python in ("/usr/bin/python3", sys.executable, shutil.which("python3")):
        if python and os.path.exists(python):
            look = [python, "-c", "import pytest, sys; sys.exit(pytest.version_tuple < (7,))"]
            if subprocess.run(look, stderr=subprocess.DEVNULL, check=False).returncode == 0:
                return python
    return None


PYTHON = _python()


def _echo(method: str, path: str, body: bytes) -> Tuple[int, Any]:
    return 200, {"path": path}


@unittest.skipUnless(PYTHON or os.environ.get("BENCH_REQUIRE_TOOLS"), "there is no pytest 7 or later")
class Pytest(unittest.TestCase):
    def setUp(self) -> None:
        self.assertIsNotNone(PYTHON, "there is no pytest 7 or later")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text in FILES.items():
            self._write(name, text)

    def test_flows_are_tests_one_a_row(self) -> None:
        out = self._pytest("--collect-only", "-q").stdout
        names = [line for line in out.splitlines() if "::" in line]
        self.assertEqual(
            names,
            [
                "login.bench.yaml::login",
                "secret.bench.yml::secret[0]",
                "secret.bench.yml::secret[1]",
                "test_shop.py::test_shared",
                "test_shop.py::flow[ada]",
                "test_shop.py::flow[grace]",
                "test_shop.py::flow[katherine]",
                "test_shop.py::plain",
                "test_shop.py::load",
                "test_shop.py::test_of_python",
            ],
        )

    def test_a_mix_is_one_test(self) -> None:
        mix = "from bench_sdk import Flow, Mix, profile\nhome = Flow('home')\nhome.call('home', 'GET /')\n"
        mix += "evening = Mix('evening', profile=profile('load', iterations=4)).add(home, 1)\n"
        self._write("test_mix.py", mix)
        with Server(_echo) as server:
            done = self._pytest("--bench-target", server.url, "-v", "test_mix.py")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("test_mix.py::evening PASSED", done.stdout)

    def test_names_hold_nothing_that_a_terminal_obeys(self) -> None:
        self._write("users.csv", 'name,id\n"a\x1b[2J\x07d\u202ea",1\n"::error::\nno\u00e9",2\n')
        out = self._pytest("--collect-only", "-q", "test_shop.py").stdout
        self.assertIn("test_shop.py::flow[a\\x1b[2J\\x07d\\u202ea]\n", out)
        self.assertIn("test_shop.py::flow[::error::\\nno\u00e9]\n", out)

    def test_a_failure_shows_the_line_of_the_flow(self) -> None:
        with Server(_echo) as server:
            done = self._pytest("--bench-target", server.url, "--junitxml", "result.xml")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("test_shop.py:5:56: assertion: $.path != ", done.stdout)
        self.assertIn("login.bench.yaml:5:14: assertion: status == 201 does not hold", done.stdout)
        self.assertIn('5 | flow.call("item"', done.stdout)
        self.assertIn("FAILED test_shop.py::flow[grace] - step `item` failed (row 2)", done.stdout)
        self.assertIn("2 failed, 8 passed", done.stdout)
        self.assertNotIn("Traceback", done.stdout)
        suite = xml.parse(os.path.join(self.folder, "result.xml")).getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("10", "2"))
        failures = {each.get("name"): each[0].get("message") for each in suite if len(each)}
        self.assertIn("status == 201 does not hold", failures["login"] or "")

    def test_x_and_k_choose_what_runs(self) -> None:
        with Server(_echo) as server:
            first = self._pytest("--bench-target", server.url, "-x")
            self.assertIn("1 failed in", first.stdout)
            self.assertEqual(server.lines, ["POST /login"])
            server.lines.clear()
            chosen = self._pytest("--bench-target", server.url, "-k", "ada or katherine")
            self.assertIn("2 passed, 8 deselected", chosen.stdout)
            self.assertEqual(server.lines, ["GET /items/1", "GET /items/3"])

    def test_tags_are_marks(self) -> None:
        tagged = "version: 1\nflow: t\ntags: [smoke, pay-in, _own]\nsteps: [{ id: a, call: GET / }]\n"
        self._write("tagged.bench.yaml", tagged)
        with Server(_echo) as server:
            marked = ("--bench-target", server.url, "--strict-markers", "-m")
            self.assertIn("1 passed, 10 deselected", self._pytest(*marked, "smoke and pay-in").stdout)
            self.assertIn("11 deselected", self._pytest(*marked, "smoke and not pay-in").stdout)

    def test_the_target_may_be_in_the_ini_file_and_is_asked_for(self) -> None:
        for test in ("login", "test_of_python"):
            self.assertIn("no target: name one with --bench-target", self._pytest("-k", test).stdout)
        with Server(_echo) as server:
            self._write("pytest.ini", f"[pytest]\nbench_target = {server.url}\n")
            self.assertIn("1 passed", self._pytest("-k", "plain").stdout)

    def test_runs_are_stored_when_that_is_asked_for(self) -> None:
        with Server(_echo) as server:
            self._pytest("--bench-target", server.url, "-k", "ada", "--bench-store", "runs")
        self.assertEqual(len(os.listdir(os.path.join(self.folder, "runs"))), 1)

    def test_errors_of_a_flow_are_the_engines_words_and_stop_no_other_test(self) -> None:
        self._write("test_wrong.py", 'from bench_sdk import Flow\nwrong = Flow("w")\nwrong.call("a", "get /")\n')
        self._write("wrong.bench.yaml", "flow: w\nsteps: [{ id: a, cal: GET / }]\n")
        with Server(_echo) as server:
            out = self._pytest("--bench-target", server.url, "-k", "wrong or plain").stdout
        self.assertIn("test_wrong.py:3:17: error: `call` must be", out)
        self.assertIn("wrong.bench.yaml:2:18: error: unknown key `cal`", out)
        self.assertIn("2 failed, 1 passed", out)

    def test_a_missing_engine_is_said(self) -> None:
        out = self._pytest("--bench-target", "http://127.0.0.1:1", "-k", "login", BENCH_BIN="/none/bench").stdout
        self.assertIn("cannot start the engine /none/bench", out)

    def _pytest(self, *args: str, **env: str) -> "subprocess.CompletedProcess[str]":
        words = ["-m", "pytest", "-p", "bench_sdk.pytest_plugin", "-p", "no:cacheprovider"]
        return subprocess.run(
            [PYTHON or "", *words, *args],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": SDK, "COLUMNS": "200", "BENCH_TEST_PAGE": "start", **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )

    def _write(self, name: str, text: str) -> None:
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
