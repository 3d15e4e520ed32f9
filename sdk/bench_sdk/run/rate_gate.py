"""The target's `max_rps`. Mirrors `lib/engine/rate_gate.ts`."""

from __future__ import annotations

from ..wire.clock import Clock

#: Unused requests are saved up for a tenth of a second.
_SAVED_UP_MS = 100.0


class RateGate:
    """Holds requests back: one each 1 / rate seconds."""

    def __init__(self, per_second: int, clock: Clock) -> None:
        """:param per_second: 0 for no ceiling"""
        self._interval_ms = 1_000 / per_second if per_second else 0.0
        self._clock = clock
        self._next_ms = 0.0

    def enter(self) -> None:
        """Waits until one more request may be sent."""
        if self._interval_ms == 0:
            return
        now = self._clock.now()
        mine = max(self._next_ms, now - _SAVED_UP_MS)
        self._next_ms = mine + self._interval_ms
        if mine > now:
            self._clock.sleep(mine - now)
