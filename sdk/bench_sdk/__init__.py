"""Write `bench` flows in Python.

    from bench_sdk import Flow, bearer, profile

    flow = Flow("shop", profile=profile("load", vus=20, hold="1m"))
    flow.call("home", "GET /", assert_=["status == 200"])

`flow.to_json()` gives the same bytes as `bench compile` of the equal YAML,
`flow.run(target)` hands them to the `bench` command, and `flow.execute(target)`
runs the flow in this process. The names below are the public ones; everything
else may change.
"""

from __future__ import annotations

from .auth.builders import (
    Auth,
    api_key,
    basic,
    bearer,
    cookie,
    hmac,
    no_auth,
    oauth2_client_credentials,
)
from .builders import Pool, Profile, Retry, Throttle, pool, profile, ramp, retry, throttle
from .errors import (
    BenchError,
    FlowError,
    InputError,
    MissingBenchError,
    NeedsRunError,
    RunError,
)
from .flow import Flow
from .read.extract import Extraction, from_header, from_status
from .run.binary import RunResult
from .run.execution import Attempt, Check, Execution, Failure, Iteration, StepResult
from .run.target import Target
from .values.json import OMIT
from .version import VERSION as __version__

__all__ = [
    "Attempt",
    "Auth",
    "BenchError",
    "Check",
    "Execution",
    "Extraction",
    "Failure",
    "Flow",
    "FlowError",
    "InputError",
    "Iteration",
    "MissingBenchError",
    "NeedsRunError",
    "OMIT",
    "Pool",
    "Profile",
    "Retry",
    "RunError",
    "RunResult",
    "StepResult",
    "Target",
    "Throttle",
    "__version__",
    "api_key",
    "basic",
    "bearer",
    "cookie",
    "from_header",
    "from_status",
    "hmac",
    "no_auth",
    "oauth2_client_credentials",
    "pool",
    "profile",
    "ramp",
    "retry",
    "throttle",
]
