import { deepStrictEqual, equal } from "node:assert/strict";
import { systemClock } from "../../../lib/base/time/clock.ts";
import { StoreIndex } from "../../../viewer/store/store_index.ts";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";
import { META, TRACES, tracesText } from "./exported_run.ts";

function idOf(number: number): string {
  return `20261120T180211Z-checkout-${String(number).padStart(6, "0")}`;
}

/** A store of so many runs, and what its list says of the flow of run `number`. */
function storeOf(folder: string, count: number) {
  for (let number = 0; number < count; number++) {
    putRun(folder, metaOf({ id: idOf(number) }));
  }
  const index = new StoreIndex(folder, systemClock);
  const flowOf = async (number: number) =>
    (await index.list()).find(({ id }) => id === idOf(number))?.meta?.flow;
  return { index, flowOf };
}

Deno.test("store index: an ended run that changed in a long list is seen by a later view, and at once by its page", async () => {
  using folder = workspace({});
  const { index, flowOf } = storeOf(folder.path, 1_200);
  equal(await flowOf(700), "checkout");
  putRun(folder.path, metaOf({ id: idOf(700), flow: "renamed" }));
  const later = [await flowOf(700), await flowOf(700)];
  deepStrictEqual(later, ["checkout", "renamed"]);
  putRun(folder.path, metaOf({ id: idOf(0), flow: "again" }));
  equal((await index.find(idOf(0)))?.meta?.flow, "again");
});

Deno.test("store index: what was read ahead is what the first list has, and new runs with it", async () => {
  using folder = workspace({});
  const { index, flowOf } = storeOf(folder.path, 3);
  index.readAhead();
  putRun(folder.path, metaOf({ id: idOf(3), flow: "new" }));
  equal(await flowOf(3), "new");
  equal((await index.list()).length, 4);
});

Deno.test("store index: a run whose directory was copied under another name goes by that name, on its pages as in the list", async () => {
  using folder = workspace({});
  const dir = putRun(folder.path, META, { "traces.json": tracesText(TRACES) });
  Deno.renameSync(dir, `${folder.path}/base line`);
  const ask = asker(folder.path);
  const { runs } = await (await ask("/api/v1/runs")).json();
  deepStrictEqual(runs.map(({ id }: { id: string }) => id), ["base line"]);
  const page = await (await ask("/runs/base%20line")).text();
  const links = [...page.matchAll(/href="(\/runs\/[^"#]*)/g)]
    .map(([, link]) => link!.replaceAll("&amp;", "&"));
  for (const link of new Set(links)) {
    equal((await ask(link)).status, 200, link);
  }
  equal(links.some((link) => link.includes("/traces/")), true);
});

Deno.test("store index: the flame graph of a run that was opened as it began is of the sample that its steps make", async () => {
  using folder = workspace({});
  const traces = Array.from({ length: 250 }, (_, i) => ({
    ...TRACES[0]!,
    ...{ trace_id: String(i).padStart(32, "0"), rank: i / 250 },
  }));
  const [step] = META.steps;
  const steps = Array.from(
    { length: 200 },
    (_, i) => ({ ...step!, id: `s${i}` }),
  );
  const running = { status: "running", verdict: null, ended_at: null } as const;
  const sampleOf = async (ask: ReturnType<typeof asker>) =>
    (await (await ask(`/api/v1/runs/${META.id}/flame`)).json()).traces;
  const ask = asker(folder.path);
  putRun(folder.path, { ...META, ...running, steps: [] }, {
    "traces.json": tracesText(traces.slice(0, 3)),
  });
  equal(await sampleOf(ask), 3);
  putRun(folder.path, { ...META, steps }, {
    "traces.json": tracesText(traces),
  });
  equal(await sampleOf(ask), await sampleOf(asker(folder.path)));
});

Deno.test("run list: pages are newer and older only where the order is that of time", async () => {
  using folder = workspace({});
  storeOf(folder.path, 101);
  const words = async (query: string) => {
    const page = await (await asker(folder.path)(`/${query}`)).text();
    return /aria-label="Pages">(.*?)<\/nav>/s.exec(page)?.[1]
      ?.replaceAll(/<[^>]*>/g, "");
  };
  equal(await words(""), "newer page 1 of 2 older");
  equal(await words("?sort=-p95"), "previous page 1 of 2 next");
});

Deno.test("store index: runs are newest first by when they began, whatever their directories are called", async () => {
  using folder = workspace({});
  for (
    const [name, started_at] of [
      ["zz-oldest", "2026-11-20T18:00:00.000Z"],
      ["aa-newest", "2026-11-20T18:00:02.000Z"],
      ["mm-middle", "2026-11-20T18:00:01.000Z"],
    ] as const
  ) {
    Deno.renameSync(
      putRun(folder.path, metaOf({ started_at })),
      `${folder.path}/${name}`,
    );
  }
  const list = await new StoreIndex(folder.path, systemClock).list();
  deepStrictEqual(
    list.map(({ id }) => id),
    ["aa-newest", "mm-middle", "zz-oldest"],
  );
});
