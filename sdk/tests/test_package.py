"""The package as it is built, installed and started."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from typing import Any, Iterator, List, Optional

from bench_sdk import __version__

from .repository import ROOT

SDK = os.path.join(ROOT, "sdk")
FLOW = 'from bench_sdk import Flow\nflow = Flow("f")\nflow.call("a", "GET /")\n'
START = '{"document": {"value": {"flow": "f",'


def backend(folder: str = SDK) -> Any:
    """The build backend of a source tree."""
    path = os.path.join(folder, "build_backend.py")
    spec = importlib.util.spec_from_file_location("build_backend", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def start(args: List[str], path: str, cwd: Optional[str] = None) -> "subprocess.CompletedProcess[str]":
    """Runs Python with the package taken from `path` and nowhere else."""
    env = {"PYTHONPATH": path, "PATH": os.environ.get("PATH", ""), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-W", "error", *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=env,
        cwd=cwd,
        check=False,
    )


class Built(unittest.TestCase):
    def test_the_wheel_holds_the_package_and_says_what_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            name = backend().build_wheel(folder)
            self.assertEqual(name, f"bench_sdk-{__version__}-py3-none-any.whl")
            with zipfile.ZipFile(os.path.join(folder, name)) as wheel:
                names = wheel.namelist()
                info = f"bench_sdk-{__version__}.dist-info"
                metadata = wheel.read(f"{info}/METADATA").decode()
                record = wheel.read(f"{info}/RECORD").decode()
        self.assertIn("bench_sdk/py.typed", names)
        self.assertIn(f"{info}/LICENSE", names)
        self.assertIn(f"{info}/entry_points.txt", names)
        self.assertFalse([each for each in names if "tests/" in each or "__pycache__" in each])
        sources = [each for each in names if each.endswith(".py")]
        self.assertGreater(len(sources), 12)
        self.assertEqual([line.split(",")[0] for line in record.splitlines()], [*sorted(names[:-1]), names[-1]])
        for line in (f"Version: {__version__}", "Requires-Python: >=3.9", "License: MIT"):
            self.assertIn(f"\n{line}\n", metadata)
        self.assertNotIn("Requires-Dist", metadata)

    def test_equal_sources_give_equal_bytes_and_the_source_archive_builds_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wheels = []
            for turn in ("one", "two"):
                os.mkdir(os.path.join(folder, turn))
                name = backend().build_wheel(os.path.join(folder, turn))
                wheels.append(self._bytes(folder, turn, name))
            archive = backend().build_sdist(folder)
            with tarfile.open(os.path.join(folder, archive)) as packed:
                root = packed.getnames()[0].split("/")[0]
                for member in packed.getmembers():
                    path = os.path.join(folder, member.name)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    source = packed.extractfile(member)
                    assert source
                    with open(path, "wb") as file:
                        file.write(source.read())
            unpacked = os.path.join(folder, root)
            name = backend(unpacked).build_wheel(folder)
            wheels.append(self._bytes(folder, name))
        self.assertEqual(wheels[0], wheels[1])
        self.assertEqual(wheels[0], wheels[2])

    def test_it_is_imported_from_an_archive(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wheel = os.path.join(folder, backend().build_wheel(folder))
            flow = os.path.join(folder, "flow.py")
            with open(flow, "w", encoding="utf-8") as file:
                file.write(FLOW)
            done = start(["-m", "bench_sdk", "document", flow], wheel)
            self.assertEqual(done.stderr, "")
            self.assertTrue(done.stdout.startswith(START), done.stdout)

    def test_it_runs_where_nothing_can_be_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wheel = backend().build_wheel(folder)
            with zipfile.ZipFile(os.path.join(folder, wheel)) as archive:
                archive.extractall(os.path.join(folder, "installed"))
            with open(os.path.join(folder, "installed", "flow.py"), "w", encoding="utf-8") as file:
                file.write(FLOW)
            installed = os.path.join(folder, "installed")
            before = self._tree(installed)
            self._allow(installed, 0o555, 0o444)
            try:
                done = start(["-B", "-m", "bench_sdk", "document", "flow.py"], installed, installed)
            finally:
                self._allow(installed, 0o755, 0o644)
            self.assertEqual((done.stderr, done.stdout[: len(START)]), ("", START))
            self.assertEqual(self._tree(installed), before)

    def test_it_needs_nothing_but_python(self) -> None:
        """Every module is of the package itself or of the standard library; type checkers bring their own."""
        wanted = set()
        for folder, _, names in os.walk(os.path.join(SDK, "bench_sdk")):
            for name in names:
                if name.endswith(".py"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        tree = ast.parse(file.read())
                    wanted.update(module for each in _carried_out(tree) for module in _imported(each))
        # pytest is there when it loads the plugin.
        wanted -= {"bench_sdk", "pytest"}
        look = "import sys\nfrom importlib.util import find_spec\n"
        look += "print(*[name for name in sys.argv[1:] if not find_spec(name)])"
        # Without `site` there are no installed packages to find.
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", look, *sorted(wanted)],
            stdout=subprocess.PIPE,
            check=True,
            universal_newlines=True,
        )
        self.assertEqual(done.stdout.strip(), "")

    def _tree(self, folder: str) -> List[str]:
        return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)

    def _allow(self, folder: str, folders: int, files: int) -> None:
        for at, _, names in os.walk(folder):
            os.chmod(at, folders)
            for name in names:
                os.chmod(os.path.join(at, name), files)

    def _bytes(self, *path: str) -> bytes:
        with open(os.path.join(*path), "rb") as file:
            return file.read()


def _carried_out(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module, without what type checkers alone read."""
    yield node
    unread = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    for each in node.orelse if unread else ast.iter_child_nodes(node):
        yield from _carried_out(each)


def _imported(node: ast.AST) -> List[str]:
    if isinstance(node, ast.Import):
        return [each.name.split(".")[0] for each in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return [(node.module or "").split(".")[0]]
    return []


class Versions(unittest.TestCase):
    def test_all_of_them_are_one(self) -> None:
        for path, pattern in (
            ("sdk/pyproject.toml", '(?m)^version = "(.+)"$'),
            ("lib/base/values/build.ts", 'VERSION = "(.+)"'),
        ):
            with open(os.path.join(ROOT, *path.split("/")), encoding="utf-8") as file:
                found = re.search(pattern, file.read())
            self.assertEqual(found and found[1], __version__, path)


class Command(unittest.TestCase):
    def test_it_explains_itself_and_says_what_is_wrong(self) -> None:
        rows = (
            (["--help"], 0, "compile", ""),
            (["--version"], 0, __version__, ""),
            (["compile", "--help"], 0, "a Python file with one Flow", ""),
            ([], 2, "", "required: command"),
            (["compile"], 2, "", "required: file"),
            (["compil", "x"], 2, "", "invalid choice: 'compil'"),
            (["compile", "none.py"], 2, "", "none.py: error: cannot read none.py: No such file"),
            (["document", "none.py"], 0, '"code": "no-file"', ""),
        )
        for args, code, out, err in rows:
            with self.subTest(args):
                done = start(["-m", "bench_sdk", *args], SDK)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(out, done.stdout)
                self.assertIn(err, done.stderr)

    def test_a_python_that_is_too_old_is_named(self) -> None:
        done = start(["-c", "import sys; sys.version_info = (3, 8, 18); import bench_sdk"], SDK)
        self.assertEqual(done.returncode, 1)
        said = "ImportError: bench_sdk needs Python 3.9 or later, but this is Python 3.8.18"
        self.assertEqual(done.stderr.splitlines()[-1], said)

    def test_a_file_that_reads_arguments_has_none(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            flow = os.path.join(folder, "flow.py")
            with open(flow, "w", encoding="utf-8") as file:
                file.write(f"import argparse\nargparse.ArgumentParser().parse_args()\n{FLOW}")
            done = start(["-m", "bench_sdk", "compile", flow], SDK)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_standard_output_is_the_result_alone_however_the_file_prints(self) -> None:
        prints = "import atexit, os, subprocess, sys\nprint('a')\nos.write(1, b'b\\n')\n"
        prints += "subprocess.run([sys.executable, '-c', 'print(1 + 2)'])\natexit.register(print, 'd')\n"
        with tempfile.TemporaryDirectory() as folder:
            flow = os.path.join(folder, "flow.py")
            with open(flow, "w", encoding="utf-8") as file:
                file.write(prints + FLOW)
            done = start(["-m", "bench_sdk", "document", flow], SDK)
            self.assertIn("document", json.loads(done.stdout))
            self.assertEqual(sorted(done.stderr.split()), ["3", "a", "b", "d"])

    def test_nobody_reading_is_no_traceback(self) -> None:
        program = (
            "import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'bench_sdk', 'compile', "
            "sys.argv[1]], stdout=subprocess.PIPE, stderr=subprocess.PIPE); p.stdout.close(); "
            "print(p.stderr.read().decode())"
        )
        with tempfile.TemporaryDirectory() as folder:
            flow = os.path.join(folder, "flow.py")
            with open(flow, "w", encoding="utf-8") as file:
                file.write(FLOW)
            self.assertNotIn("Traceback", start(["-c", program, flow], SDK).stdout)

    def test_a_file_that_gives_no_flow_is_reported_at_its_line(self) -> None:
        # Python 3.9 names the place where it gave up, later ones that of the mistake.
        rows = (
            ('flow = Flow("a"\n', r"flow\.py:1:1[26]: error: the file is not Python: "),
            ('x = ["\u00e9\U0001f600", 1 1]\n', r"flow\.py:1:1[35]: error: the file is not Python: "),
            ("from bench_sdk import Flow\nFlow.from_dict([1])\n", r"flow\.py:2: error: FlowError: `flow`: .* got list"),
            ("x = 1\nflow = profile('load')\n", r"flow\.py:2: error: NameError.*\n  = from bench_sdk import profile"),
            ("from bench_sdk import Flow\n\nFlow('a').cal()\n", r"flow\.py:3: error: AttributeError: .*'cal'"),
            ("from bench_sdk import Flow\nFlow('a').call('x', 'GET /', hedaers={})\n", r"flow\.py:2: error: TypeError: .*hedaers"),
            ("flow = 1\n", "flow.py: error: .*flow.py defines no flow\n  = for example"),
            ("from bench_sdk import Flow\na, b = Flow('a'), Flow('b')\n", "defines 2 flows, and none is called `flow`\n  = .* a `Mix` "),
            ("from bench_sdk import Mix\na, b = Mix('a'), Mix('b')\n", "defines 2 mixes, and none is called `flow`"),
            ("from bench_sdk import Flow\nflow = Flow('a').wait('b', '1s')\n", r"flow\.py:2: .* no flow\n  = `flow` is None: "),
            ("def flow():\n    return 1\n", r"flow\.py:1: .* no flow\n  = `flow` is a function: "),
            ("from bench_sdk import Flow\nall = [Flow('a')]\n", r"flow\.py:2: .* no flow\n  = `all` holds flows: "),
            ("from bench_sdk import Flow\nclass Shop(Flow):\n    pass\n", r"flow\.py:2: .*\n  = `Shop` is a class: .* flow = Shop\(\)"),
            ("if __name__ == '__main__':\n    pass\n", r"flow\.py:1: .* no flow\n  = what is below `if __name__ == "),
        )
        with tempfile.TemporaryDirectory() as folder:
            flow = os.path.join(folder, "flow.py")
            for source, message in rows:
                with self.subTest(source):
                    with open(flow, "w", encoding="utf-8") as file:
                        file.write(source)
                    done = start(["-m", "bench_sdk", "compile", flow], SDK)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertRegex(done.stderr, message)
