import assert from "node:assert/strict";
import { seededRandom } from "../../../../lib/base/time/random.ts";
import { LoadSearch } from "../../../../lib/results/statistics/load_search.ts";

const OPTIONS = {
  from: 10,
  most: Infinity,
  whole: false,
  precision: 0.05,
};

/** Searches a target by what it says of a level. */
function search(
  holds: (level: number, share: number) => boolean,
  options: Partial<typeof OPTIONS> = {},
  limited: (level: number) => boolean = () => false,
): LoadSearch {
  const found = new LoadSearch({ ...OPTIONS, ...options });
  for (let next = found.next(); next; next = found.next()) {
    assert.ok(found.trials.length < 100, "the search ends");
    const { level, share } = next;
    found.note({
      ...next,
      held: holds(level, share),
      limited: limited(level),
    });
  }
  return found;
}

Deno.test("LoadSearch: bounds hold the truth and lie within the precision", () => {
  for (const truth of [11, 57.3, 100, 1_000, 4_321.5, 99_999]) {
    const { lower, upper } = search((level) => level <= truth).bounds;
    assert.ok(lower! <= truth && truth < upper!, `${lower} ${truth} ${upper}`);
    assert.ok(upper! / lower! <= 1.05);
  }
});

Deno.test("LoadSearch goes below the first level when that does not hold", () => {
  const { lower, upper } = search((level) => level <= 3).bounds;
  assert.ok(lower! <= 3 && upper! > 3 && upper! / lower! <= 1.05);
  assert.deepEqual(search(() => false).bounds.lower, null);
});

Deno.test("LoadSearch of whole levels ends at neighbours", () => {
  const options = { from: 1, whole: true };
  assert.deepEqual(search((level) => level <= 7, options).bounds, {
    lower: 7,
    upper: 8,
  });
});

Deno.test("LoadSearch measures a breach twice, so that one that is chance is none", () => {
  const random = seededRandom(5);
  const truth = 480;
  const { trials, bounds } = search((level) =>
    level <= truth && random() > 0.15
  );
  assert.ok(bounds.lower! <= truth && bounds.upper! > bounds.lower!);
  const broken = trials.filter(({ held }) => !held);
  assert.ok(
    broken.every(({ level }) =>
      trials.filter((each) => each.level === level).length > 1
    ),
  );
});

Deno.test("LoadSearch measures both bounds at full length, and goes on when a short trial was too kind", () => {
  const { trials, bounds } = search((level, share) =>
    level <= (share < 1 ? 600 : 400)
  );
  assert.ok(bounds.lower! <= 400 && bounds.upper! > 400);
  for (const level of [bounds.lower, bounds.upper]) {
    assert.ok(trials.some((each) => each.level === level && each.share === 1));
  }
});

Deno.test("LoadSearch measures a whole trial that the generator limited once more, whatever befell a short one", () => {
  const busy = new Set(["20 0.2", "20 1"]);
  const found = new LoadSearch({ ...OPTIONS, from: 20, most: 20 });
  for (let next = found.next(); next; next = found.next()) {
    // The generator is busy in the first trial of each length.
    const limited = busy.delete(`${next.level} ${next.share}`);
    found.note({ ...next, held: true, limited });
  }
  assert.deepEqual(
    found.trials.map(({ share, limited }) => [share, limited]),
    [[0.2, true], [0.2, false], [1, true], [1, false]],
  );
});

Deno.test("LoadSearch takes no bound from a trial that the generator limited", () => {
  const { bounds } = search(
    (level) => level < 200,
    {},
    (level) => level >= 100,
  );
  assert.deepEqual(bounds, { lower: 80, upper: null });
});

Deno.test("LoadSearch ends at the most that may be tried", () => {
  const { bounds } = search(() => true, { most: 100 });
  assert.deepEqual(bounds, { lower: 100, upper: null });
});

Deno.test("LoadSearch takes at most half the requests of bisection with full-length trials", () => {
  const most = 1_000;
  const cost = (level: number, share: number) => level * share;
  let [ours, plain] = [0, 0];
  for (let truth = 50; truth < 950; truth += 37) {
    const { trials } = search((level) => level <= truth, { most });
    for (const { level, share } of trials) ours += cost(level, share);
    // Every breach twice, as here.
    for (let [low, high] = [10, most]; high / low > 1.05;) {
      const middle = (low + high) / 2;
      const held = middle <= truth;
      plain += cost(middle, held ? 1 : 2);
      if (held) low = middle;
      else high = middle;
    }
  }
  assert.ok(ours <= plain / 2, `${ours} ${plain}`);
});

/** The p95 of a queue with one worker under a constant rate, in milliseconds. */
function queueP95(rate: number, serviceMs: number, seconds: number): number {
  const waits: number[] = [];
  let free = 0;
  for (let k = 0; k < rate * seconds; k++) {
    const due = k * 1_000 / rate;
    free = Math.max(free, due) + serviceMs;
    waits.push(free - due);
  }
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)]!;
}

/** The share of requests that a token bucket refuses. */
function refused(rate: number, perSecond: number, seconds: number): number {
  let tokens = perSecond / 10;
  let no = 0;
  for (let k = 0; k < rate * seconds; k++) {
    tokens = Math.min(perSecond / 10, tokens + perSecond / rate);
    if (tokens >= 1) tokens--;
    else no++;
  }
  return no / (rate * seconds);
}

Deno.test("LoadSearch: against a queue of known service time and a token bucket of known rate, bounds hold the truth within 5 %", () => {
  const queue = search((level, share) => queueP95(level, 8, 10 * share) < 50);
  const bucket = search((level, share) =>
    refused(level, 300, 10 * share) < 0.001
  );
  for (
    const [{ bounds: { lower, upper } }, truth] of [[queue, 125], [
      bucket,
      300,
    ]] as const
  ) {
    assert.ok(
      lower! <= truth * 1.01 && upper! >= truth,
      `${lower} ${truth} ${upper}`,
    );
    assert.ok(upper! / lower! <= 1.05);
  }
});

Deno.test("LoadSearch measures a trial that the generator limited once more", () => {
  let first = true;
  const { trials, bounds } = search((level) => level <= 100, {}, (level) => {
    const limited = level === 40 && first;
    if (limited) first = false;
    return limited;
  });
  assert.equal(trials.filter(({ level }) => level === 40).length, 2);
  assert.ok(bounds.lower! <= 100 && bounds.upper! > 100);
});

Deno.test("LoadSearch tries the highest level that is permitted, where that is the first one or below", () => {
  for (const most of [10, 4]) {
    const found = search(() => true, { most });
    assert.deepEqual(found.bounds, { lower: most, upper: null });
    assert.deepEqual(found.trials.map(({ level }) => level), [most, most]);
  }
});

Deno.test("LoadSearch goes on below a level that the generator limited between the bounds", () => {
  let times = 0;
  const { bounds, trials } = search(
    (level) => level <= 120,
    {},
    (level) => level > 100 && level < 150 && times++ < 50,
  );
  assert.ok(trials.length < 30, `${trials.length}`);
  assert.ok(bounds.lower! > 80 && bounds.lower! <= 113);
  assert.equal(bounds.upper, 160);
});

Deno.test("LoadSearch goes below a first level that the generator limited, and never back to one", () => {
  const limited = (level: number) => level > 30;
  const open = search(() => true, { from: 100 }, limited);
  assert.deepEqual(open.bounds, { lower: 25, upper: null });
  const tried = ({ trials }: LoadSearch) => trials.map(({ level }) => level);
  assert.deepEqual(tried(open), [100, 100, 50, 50, 25, 25]);
  // 80 breaks, and the generator is the limit below it.
  const bounded = search(
    (level) => level < 80,
    { from: 80 },
    (level) => level === 40,
  );
  assert.deepEqual(bounded.bounds, { lower: 38.3, upper: 80 });
  assert.equal(tried(bounded).filter((level) => level === 40).length, 2);
});

Deno.test("LoadSearch: a generator that was the limit now and then is none of a level that broke in between", () => {
  let turn = 0;
  const { bounds, trials } = search(
    (level) => level < 100,
    {},
    // Of the trials of 160 the first and the third.
    (level) => level === 160 && turn++ % 2 === 0,
  );
  assert.ok(bounds.lower! < 100 && bounds.upper! >= 100);
  assert.ok(bounds.upper! / bounds.lower! <= 1.05, JSON.stringify(bounds));
  assert.equal(trials.filter(({ level }) => level === 160).length, 4);
});
