import { perSecond, type Rate } from "../base/values/duration.ts";
import { sum } from "../base/values/sum.ts";

/** The most VUs that can be asked for: each that is busy takes kilobytes. */
export const MOST_VUS = 1_000_000;

/** A level over time: it goes linearly to that of each stage in turn, and stays at the last one. */
export interface Course {
  readonly from: number;
  readonly stages: readonly Stage[];
}

/** A linear change of a level; 0 ms long where it jumps. */
interface Stage {
  readonly to: number;
  readonly overMs: number;
}

/** The level that never changes. */
export function constant(level: number): Course {
  return { from: level, stages: [] };
}

/** The highest level of a course. */
export function highestOf({ from, stages }: Course): number {
  return stages.reduce((most, { to }) => Math.max(most, to), from);
}

/** The level after all stages. */
export function lastOf({ from, stages }: Course): number {
  return stages.at(-1)?.to ?? from;
}

/** How long the stages take together, in milliseconds. */
export function lengthOf({ stages }: Course): number {
  return sum(stages, ({ overMs }) => overMs);
}

/** The level `elapsedMs` after the beginning. */
export function levelAt({ from, stages }: Course, elapsedMs: number): number {
  let level = from;
  let left = Math.max(0, elapsedMs);
  for (const { to, overMs } of stages) {
    if (left < overMs) return level + (to - level) * (left / overMs);
    left -= overMs;
    level = to;
  }
  return level;
}

/** The load that the profile of a flow asks for. */
interface AskedLoad {
  readonly vus: number | {
    readonly from: number;
    readonly to: number;
    readonly over_us: number;
  };
  readonly hold_us?: number;
  readonly iterations?: number;
  readonly arrival?: Rate;
  readonly stages?: readonly AskedStage[];
  readonly warm_up_us?: number;
}

interface AskedStage {
  readonly vus?: number;
  readonly arrival?: Rate;
  readonly over_us: number;
}

/** A load over time, and its end. */
export interface LoadBounds {
  /** The VUs over time; absent for a constant number. */
  readonly vus?: Course;
  /** Offered requests a second over time, in the open executor. */
  readonly rate?: Course;
  /** How long new iterations are begun; absent when only their number bounds it. */
  readonly endMs?: number;
  /** Bound on iterations; the rows executor has one a row. */
  readonly iterations?: number;
  /** How long iterations that begin are in no figure; 0 when absent. */
  readonly warmUpMs?: number;
}

/** The bounds of a load profile. */
export function boundsOf(load: AskedLoad): LoadBounds {
  const { vus, iterations, arrival, stages, warm_up_us } = load;
  const bound = {
    ...(iterations !== undefined && { iterations }),
    ...(warm_up_us && { warmUpMs: warm_up_us / 1_000 }),
  };
  if (stages) {
    const course = courseOf(stages);
    const levels = stages.some((each) => each.arrival)
      ? { rate: course }
      : { vus: course };
    return { ...levels, ...bound, endMs: lengthOf(course) };
  }
  const endMs = endOf(load);
  return {
    ...(typeof vus === "object" && { vus: rampOf(vus) }),
    ...(endMs !== undefined && { endMs }),
    ...bound,
    ...(arrival && { rate: constant(perSecond(arrival)) }),
  };
}

/** The level at the end of a stage; undefined of one that holds. */
export function levelOf({ vus, arrival }: AskedStage): number | undefined {
  return vus ?? (arrival && perSecond(arrival));
}

/** From 0 on; a stage without a level holds the last one. */
function courseOf(stages: readonly AskedStage[]): Course {
  let to = 0;
  return {
    from: 0,
    stages: stages.map((stage) => {
      to = levelOf(stage) ?? to;
      return { to, overMs: stage.over_us / 1_000 };
    }),
  };
}

function rampOf({ from, to, over_us }: AskedLoad["vus"] & object): Course {
  return { from, stages: [{ to, overMs: over_us / 1_000 }] };
}

/** A ramp that ends at 0 VUs ends the run: nothing can begin after it. */
function endOf({ vus, hold_us, iterations }: AskedLoad): number | undefined {
  const ramp = typeof vus === "object" ? vus : undefined;
  const rampUs = ramp?.over_us ?? 0;
  if (ramp?.to === 0) return rampUs / 1_000;
  if (hold_us !== undefined) return (rampUs + hold_us) / 1_000;
  return iterations === undefined ? rampUs / 1_000 : undefined;
}

/** The highest level in a part of a course. */
export function highestIn(
  course: Course,
  fromMs: number,
  toMs: number,
): number {
  let most = Math.max(levelAt(course, fromMs), levelAt(course, toMs - 0.001));
  let at = 0;
  for (const { to, overMs } of course.stages) {
    at += overMs;
    // One that a jump ends as the part begins is none of it.
    if (at > fromMs && at < toMs) most = Math.max(most, to);
  }
  return most;
}

/** Whether the level is nowhere in a part of a course below what it was before. */
export function isHighest(
  course: Course,
  fromMs: number,
  toMs: number,
): boolean {
  return highestIn(course, fromMs, toMs) >= highestIn(course, 0, fromMs);
}

/** The course of a load that changes: that of its rate, or else of its VUs. */
export function changingOf({ rate, vus }: LoadBounds): Course | undefined {
  return rate && rate.stages.length > 0 ? rate : vus;
}

/** A part of what is measured, in milliseconds since that began. */
export interface Part {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The parts of a run in which its load stays at one level, in order. */
export function steadyParts(load: LoadBounds, durationMs: number): Part[] {
  const course = changingOf(load) ?? constant(1);
  const { warmUpMs = 0 } = load;
  const parts: Part[] = [];
  let [at, steadyFrom, level] = [-warmUpMs, -warmUpMs, course.from];
  const close = (toMs: number) => {
    const part = {
      fromMs: Math.max(0, steadyFrom),
      toMs: Math.min(toMs, durationMs),
    };
    if (part.fromMs < part.toMs) parts.push(part);
  };
  for (const { to, overMs } of course.stages) {
    if (to !== level) {
      close(at);
      steadyFrom = at + overMs;
    }
    at += overMs;
    level = to;
  }
  close(durationMs);
  return parts;
}

/** The longest of them; the whole run where its load never stays at a level. */
export function steadiest(load: LoadBounds, durationMs: number): Part {
  const lasts = ({ fromMs, toMs }: Part) => toMs - fromMs;
  return steadyParts(load, durationMs)
    .toSorted((a, b) => lasts(b) - lasts(a))[0] ??
    { fromMs: 0, toMs: durationMs };
}

/** From when on the load stays at its last level, since what is measured began. */
export function settledMs(load: LoadBounds): number {
  return steadyParts(load, Infinity).at(-1)!.fromMs;
}

/** The VUs of a run: as many as at its peak where no course changes them. */
interface PlannedVus {
  readonly vus?: Course;
  readonly peakVus: number;
}

/** The planned number of VUs `elapsedMs` into the run. */
export function vusAt({ vus, peakVus }: PlannedVus, elapsedMs: number): number {
  return vus ? Math.round(levelAt(vus, elapsedMs)) : peakVus;
}

/**
 * How long until the planned number of VUs is another one; Infinity when it
 * stays. A microsecond after the moment, so that it is another one by then.
 */
export function nextVusIn(plan: PlannedVus, elapsedMs: number): number {
  const { vus } = plan;
  if (!vus) return Infinity;
  const now = vusAt(plan, elapsedMs);
  let start = 0;
  let { from } = vus;
  for (const { to, overMs } of vus.stages) {
    if (start + overMs > elapsedMs && Math.round(to) !== now) {
      const edge = to > now ? now + 0.5 : now - 0.5;
      const at = start + (edge - from) / (to - from) * overMs;
      return Math.max(at, elapsedMs) + 0.001 - elapsedMs;
    }
    start += overMs;
    from = to;
  }
  return Infinity;
}

/** When there first are so many VUs, in milliseconds; Infinity when there never are. */
export function reachedAt({ from, stages }: Course, vus: number): number {
  let start = 0;
  if (from >= vus) return 0;
  for (const { to, overMs } of stages) {
    if (to >= vus) return start + (vus - 0.5 - from) / (to - from) * overMs;
    start += overMs;
    from = to;
  }
  return Infinity;
}

/** Whether the level fell before `elapsedMs`. */
export function hasFallen(
  { from, stages }: Course,
  elapsedMs: number,
): boolean {
  let start = 0;
  let level = from;
  for (const { to, overMs } of stages) {
    if (start > elapsedMs) return false;
    if (to < level) return true;
    start += overMs;
    level = to;
  }
  return false;
}

/** Rounded so that a whole number is one, however it is computed. */
function whole(units: number): number {
  return Number(units.toFixed(6));
}

/** The units that a rate offers in `elapsedMs`: its integral. */
export function unitsBy({ from, stages }: Course, elapsedMs: number): number {
  let units = 0;
  let left = elapsedMs;
  let level = from;
  for (const { to, overMs } of stages) {
    const part = Math.min(left, overMs);
    const reached = part < overMs ? level + (to - level) * (part / overMs) : to;
    units += (level + reached) / 2 * part / 1_000;
    left -= part;
    level = to;
    if (left <= 0) return whole(units);
  }
  return whole(
    left === Infinity && level === 0 ? units : units + level * left / 1_000,
  );
}

/**
 * When the units of a rate are due. Unit k (any number, not whole ones alone) is due
 * when the rate's integral exceeds k: at k / rate where it is constant. After the
 * last stage the last level above 0 goes on, so that every unit is due at some time.
 */
export class DueTimes {
  #next = 0;
  /** The stage that holds the last unit asked for: from here on, so long. */
  #startMs = 0;
  #overMs = 0;
  /** Units due before it and by its end, and its levels. */
  #before = 0;
  #end = 0;
  #from: number;
  #to: number;

  constructor(readonly course: Course) {
    this.#from = this.#to = course.from;
  }

  /** In milliseconds. Units are asked for in rising order. */
  at(unit: number): number {
    while (unit >= this.#end) this.#enter(this.course.stages[this.#next++]);
    const units = unit - this.#before;
    return this.#startMs + within(units, this.#from, this.#to, this.#overMs);
  }

  #enter(stage: Stage | undefined): void {
    this.#startMs += this.#overMs;
    this.#before = this.#end;
    if (stage) {
      this.#from = this.#to;
      this.#to = stage.to;
      this.#overMs = stage.overMs;
      const units = (this.#from + this.#to) / 2 * this.#overMs / 1_000;
      this.#end = whole(this.#before + units);
    } else {
      const { from, stages } = this.course;
      const levels = [from, ...stages.map(({ to }) => to)];
      this.#from = this.#to = levels.findLast((level) => level > 0) ?? 0;
      this.#overMs = this.#end = Infinity;
    }
  }
}

/** When `units` of a stage are due, after its beginning, in milliseconds. */
function within(
  units: number,
  from: number,
  to: number,
  overMs: number,
): number {
  if (to === from) return units * 1_000 / from;
  const slope = (to - from) * 1_000 / overMs;
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * units));
  // The form that loses no digits where the rate is near 0 at first.
  const ms = units <= 0 ? 0 : 2_000 * units / (from + root);
  return Math.min(overMs, ms);
}
