"""Runs the suite and prints one line of counts for `tests/run_all.ts`."""

from __future__ import annotations

import os
import sys
import unittest


def main() -> int:
    """Returns 0 when every test passed."""
    here = os.path.dirname(os.path.abspath(__file__))
    top = os.path.dirname(here)
    sys.path.insert(0, top)
    suite = unittest.defaultTestLoader.discover(here, top_level_dir=top)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    passed = max(0, result.testsRun - failed - skipped)
    print(f"python: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
