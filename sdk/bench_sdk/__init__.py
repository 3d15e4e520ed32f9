"""Write `bench` flows in Python.

    from bench_sdk import Flow, bearer, profile

    flow = Flow("shop", profile=profile("load", vus=20, hold="1m"))
    flow.call("home", "GET /", assert_=["status == 200"])

This package records what is written and asks the `bench` engine: `flow.to_json()` gives
the bytes of the equal YAML, `flow.execute(target)` runs the flow, `flow.run(target)` also
writes a run directory. The names below are the public ones; everything else may change.
"""

import sys

# An older Python must be able to read this file up to its end.
if sys.version_info < (3, 9):
    raise ImportError("bench_sdk needs Python 3.9 or later, but this is Python %d.%d.%d" % sys.version_info[:3])

from . import draw
from .auth import Auth, api_key, basic, bearer, cookie, hmac, no_auth, oauth2_client_credentials
from .blocks import OMIT
from .builders import (
    Between, Extraction, Pool, Profile, Ramp, Retry, Stage, Throttle, between, from_body, from_cookie, from_css,
    from_header, from_path, from_status, literal, pool,
    profile, ramp, retry, stage, throttle,
)
from .errors import BenchError, BenchWarning, Diagnostic, EngineError, FlowError, RunFailure
from .flow import Flow
from .iteration import (
    Attempt, Check, Exchange, Failure, Iteration, Request, Response, StepResult, TypedValue,
)
from .measures import Capacity, CapacityTrial, Change, ComparedFigure, Comparison, Second, Series
from .mix import Mix
from .results import (
    FailureGroup, FlowTotals, OnceResult, OnceStep, Progress, RunResult, StepTotals, ThresholdResult, Totals,
)
from .stored import compare, merge, replay, series
from .target import Target
from .version import VERSION as __version__

__all__ = [
    "Attempt", "Auth", "BenchError", "BenchWarning", "Between", "Capacity", "CapacityTrial", "Change", "Check",
    "ComparedFigure", "Comparison", "Diagnostic", "EngineError", "Exchange",
    "Extraction", "Failure", "FailureGroup", "Flow", "FlowError", "FlowTotals", "Iteration", "Mix", "OMIT", "OnceResult", "OnceStep", "Pool",
    "Profile", "Progress", "Ramp", "Request", "Response", "Retry", "RunFailure", "RunResult", "Second", "Series", "Stage",
    "StepResult", "StepTotals", "Target", "ThresholdResult", "Throttle", "Totals", "TypedValue",
    "__version__", "api_key", "basic", "bearer", "between", "compare", "cookie", "draw", "from_body", "from_cookie",
    "from_css", "from_header", "from_path",
    "from_status", "hmac", "literal", "merge", "no_auth", "oauth2_client_credentials", "pool", "profile", "ramp",
    "replay", "retry", "series", "stage", "throttle",
]
