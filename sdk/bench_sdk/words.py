"""The words that arguments take: a type checker finds one that is misspelt."""

from __future__ import annotations

from typing import Literal

Mode = Literal["integration", "system", "load", "stress", "soak"]
Backoff = Literal["fixed", "exponential", "honor_retry_after"]
OnFailure = Literal["abort_flow", "abort_run", "record"]
OnErrors = Literal["fail", "allow_partial", "ignore"]
Capture = Literal["full", "headers", "none"]
Cookies = Literal["iteration", "vu"]
FixtureFormat = Literal["csv", "json"]
Distribution = Literal["unique-per-vu", "round-robin", "random"]
OnExhausted = Literal["fail", "cycle", "stop"]
KeyIn = Literal["header", "query"]
Algorithm = Literal["sha256", "sha512"]
Encoding = Literal["hex", "base64"]
Moment = Literal["date", "rfc3339", "unix", "unix_ms"]
HttpVersion = Literal["1.1", "2", "auto"]
Arrivals = Literal["constant", "poisson"]
Contract = Literal["fail", "warn"]
