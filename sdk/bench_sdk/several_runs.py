"""What takes several runs of one flow: a duel of two targets, and its capacity."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Sequence

from .blocks import Seconds
from .engine import EngineCommand, engine_for
from .measures import Capacity, CapacityTrial, Comparison, trial_of
from .options import LoadOptions
from .sites import checked_with
from .target import AnyTarget

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


class SeveralRuns:
    """The part of `Flow` that measures it several times.

    `load` is what both methods take besides their own arguments, each as in `Flow.run()`: `LoadOptions`.
    """

    _parameters: Callable[..., Dict[str, Any]]

    @checked_with(LoadOptions)
    def duel(
        self,
        target: AnyTarget,
        against: AnyTarget,
        *,
        for_s: Seconds = 60,
        vus: Optional[int] = None,
        margin: float = 0.02,
        engine: Optional[EngineCommand] = None,
        **load: Unpack[LoadOptions],
    ) -> Comparison:
        """Runs the flow against two targets at once, and compares the second with the first.

        :param against: the target that is judged
        :param for_s: seconds, 10 at least
        :param vus: in place of the profile's
        :param margin: smaller changes do not count, as a share
        :raises FlowError: for what is wrong before the first request
        :raises EngineError: when a side does not finish, among others
        """
        own = {"for_s": for_s, "vus": vus, "margin": margin}
        params = self._parameters(target=target, against=against, **own, **load)
        return Comparison(engine_for(engine).request("duel", params))

    @checked_with(LoadOptions)
    def capacity(
        self,
        target: AnyTarget,
        *,
        vus: bool = False,
        start: Optional[float] = None,
        most: Optional[float] = None,
        least: Optional[float] = None,
        precision: float = 0.05,
        trial_s: Seconds = 10,
        cool_down_s: Seconds = 1,
        thresholds: Sequence[str] = (),
        on_trial: Optional[Callable[[CapacityTrial], None]] = None,
        engine: Optional[EngineCommand] = None,
        **load: Unpack[LoadOptions],
    ) -> Capacity:
        """Finds the highest load at which the thresholds hold.

        :param vus: search by VUs, not by requests a second
        :param start: the first level
        :param most: no level above it is tried
        :param least: what the lower bound has to reach for `passed`
        :param precision: the bounds lie no further apart, as a share
        :param trial_s: how long a bound is measured
        :param cool_down_s: pause between trials, twice after a breach
        :param thresholds: judge a trial beside those of the profile
        :param on_trial: called after each trial
        :raises FlowError: for what is wrong before the first request, such as no thresholds
        """
        params = self._parameters(
            target=target,
            vus=vus,
            most=most,
            least=least,
            precision=precision,
            trial_s=trial_s,
            cool_down_s=cool_down_s,
            thresholds=thresholds,
            **{"from": start},
            **load,
        )

        def listen(method: str, message: Mapping[str, Any]) -> None:
            if method == "trial" and on_trial:
                on_trial(trial_of(message))

        result = engine_for(engine).request("capacity", params, listen)
        return Capacity(result["capacity"], os.path.join(params["cwd"], result["directory"]))
