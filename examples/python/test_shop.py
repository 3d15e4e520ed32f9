"""One test for each fixture row.

    bench demo --serve &
    PYTHONPATH=sdk pytest examples/python
    PYTHONPATH=sdk python3 -m unittest discover examples/python

Both test runners find one test a row; pytest itself is not needed. SHOP_URL
says where the shop is.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from shop_flow import flow  # noqa: E402

SHOP_URL = os.environ.get("SHOP_URL", "http://127.0.0.1:7800")


def row_names():
    """The name of each test: who the row is about."""
    return [row["name"] for row in flow.rows()]


def check_row(row, url=SHOP_URL):
    """Runs the flow for one row; what went wrong is the failure's text."""
    flow.execute(url, row=row).raise_for_failure()


def pytest_generate_tests(metafunc):
    """Asked by pytest: `test_shop[ada]`, `test_shop[grace]` ..."""
    if "row" in metafunc.fixturenames:
        names = row_names()
        metafunc.parametrize("row", range(len(names)), ids=names)


def test_shop(row):
    check_row(row)


def load_tests(loader, tests, pattern):
    """Asked by unittest: the same tests."""
    for row, name in enumerate(row_names()):
        case = unittest.FunctionTestCase(
            lambda row=row: check_row(row), description=f"test_shop[{name}]"
        )
        tests.addTest(case)
    return tests
