"""The only source of time of an execution."""

from __future__ import annotations

import time


class Clock:
    """Real time. Tests use another."""

    def now(self) -> float:
        """Milliseconds that never go back."""
        return time.perf_counter() * 1_000

    def wall(self) -> float:
        """Milliseconds since the epoch."""
        return time.time() * 1_000

    def sleep(self, ms: float) -> None:
        """Waits."""
        time.sleep(max(0.0, ms) / 1_000)
