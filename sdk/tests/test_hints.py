"""A type checker is not at hand, so every annotation is at least resolved."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import typing
import unittest

import bench_sdk


def _modules() -> typing.List[str]:
    found = pkgutil.walk_packages(bench_sdk.__path__, "bench_sdk.")
    return [each.name for each in found if not each.name.endswith("__main__")]


class Hints(unittest.TestCase):
    def test_every_module_imports_alone(self) -> None:
        self.assertGreater(len(_modules()), 50)
        for name in _modules():
            importlib.import_module(name)

    def test_every_annotation_resolves(self) -> None:
        everything = {}
        for name in _modules():
            module = importlib.import_module(name)
            everything.update({k: v for k, v in vars(module).items() if inspect.isclass(v)})
        for name in _modules():
            module = importlib.import_module(name)
            for thing in vars(module).values():
                if getattr(thing, "__module__", None) != name:
                    continue
                if inspect.isfunction(thing):
                    typing.get_type_hints(thing, localns=everything)
                elif inspect.isclass(thing):
                    typing.get_type_hints(thing, localns=everything)
                    for method in vars(thing).values():
                        if inspect.isfunction(method):
                            typing.get_type_hints(method, localns=everything)

    def test_every_function_is_annotated_in_full(self) -> None:
        for name in _modules():
            module = importlib.import_module(name)
            for thing in vars(module).values():
                if inspect.isfunction(thing) and thing.__module__ == name:
                    names = set(inspect.signature(thing).parameters) | {"return"}
                    self.assertEqual(names - set(thing.__annotations__), set(), f"{name}.{thing}")

    def test_the_package_says_that_it_is_typed(self) -> None:
        folder = os.path.dirname(bench_sdk.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))

    def test_public_names_exist_and_are_sorted(self) -> None:
        self.assertEqual(list(bench_sdk.__all__), sorted(bench_sdk.__all__))
        for name in bench_sdk.__all__:
            self.assertTrue(hasattr(bench_sdk, name), name)
