import { deepEqual, equal } from "node:assert/strict";
import { GracefulStop } from "../../../../cli/run/start_run.ts";
import { Stop } from "../../../../lib/run.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

function stopping() {
  const [stop, clock] = [new Stop(), new ManualClock()];
  const state = () => [stop.requested, stop.signal.aborted];
  return { state, clock, run: new GracefulStop(stop, clock, 500) };
}

Deno.test("GracefulStop: asked once it stops softly, and at once when the grace is over", async () => {
  const { state, clock, run } = stopping();
  equal(run.ask("SIGINT"), true);
  deepEqual([run.first, ...state()], ["SIGINT", true, false]);
  await clock.pass(499);
  deepEqual(state(), [true, false]);
  await clock.pass(1);
  deepEqual(state(), [true, true]);
});

Deno.test("GracefulStop: asked twice it stops at once, for the first reason", () => {
  const { state, run } = stopping();
  run.ask("SIGTERM");
  equal(run.ask("SIGINT"), false);
  deepEqual([run.first, ...state()], ["SIGTERM", true, true]);
  run.release();
});

Deno.test("GracefulStop: a run that was released is not stopped later", async () => {
  const { state, clock, run } = stopping();
  run.ask("SIGINT");
  run.release();
  await clock.pass(1_000);
  deepEqual(state(), [true, false]);
});

Deno.test("GracefulStop: now() needs no first time", () => {
  const { state, run } = stopping();
  run.now("SIGHUP");
  deepEqual([run.first, ...state()], ["SIGHUP", true, true]);
});
