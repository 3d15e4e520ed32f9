import {
  countText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { flameGraph, flameTable } from "../chart/flame_graph.tsx";
import type { Markup } from "../markup/markup.ts";
import { Scroll } from "../markup/scroll.tsx";
import { chosenTraces, flameOf } from "../store/chosen_traces.ts";
import {
  findBoxes,
  flameBoxes,
  type FlameTree,
  nodeAt,
} from "../model/flame.ts";
import { stepIds } from "../store/stored_flow.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { exportLinks } from "./export_links.tsx";
import { Block, NoTraces, OUTCOMES, Select, Unreadable } from "./parts.tsx";
import {
  type PageResponse,
  runPath,
  type RunRequest,
  traceFilter,
  withFilter,
} from "./page_request.ts";

/** Where the time of kept traces went: of all, or of those a filter leaves. */
export async function flamePage(
  { url, meta, run }: RunRequest,
): Promise<PageResponse> {
  const page = (body: Markup): PageResponse => ({
    title: `Flame graph of ${meta.flow}`,
    run: { id: meta.id, tab: "flame", live: false },
    body: (
      <>
        <h1>Flame graph</h1>
        {body}
      </>
    ),
  });
  const { value: chosen, error } = await chosenTraces(run, url.searchParams);
  if (error !== undefined) return page((<Unreadable error={error} />));
  if (!chosen || chosen.entries.length === 0 && chosen.all) {
    return page((<NoTraces meta={meta} />));
  }
  const { value: flame, error: broken } = await flameOf(run, chosen);
  if (!flame) return page((<Unreadable error={broken ?? ""} />));
  return page(
    (<>
      {intro(meta, flame, chosen.all)}
      {form(url, meta)}
      {await graph(url, meta, run, flame)}
    </>),
  );
}

function intro(meta: RunMeta, flame: FlameTree, all: boolean): Markup {
  return (
    <p class="note">
      {all ? sampleText(meta, flame.traces) : (
        <>
          Made of the {plural(flame.traces, "kept trace")}{" "}
          that fit. Failed and slow ones are kept more often than others: these
          times are no averages of the run.
        </>
      )}{" "}
      The width of a box is the time spent in it and below; a strip at its foot
      is the part of it in traces that did not pass. A box opens on a click.
    </p>
  );
}

/** Of what the times are that stand for the whole run. */
export function sampleText({ iterations }: RunMeta, traces: number): string {
  const all = plural(iterations.completed, "iteration");
  return traces >= iterations.completed
    ? `Made of all ${all}.`
    : `Made of a random sample of ${countText(traces)} of ${all}.`;
}

async function graph(
  url: URL,
  meta: RunMeta,
  run: RunDirectory,
  flame: FlameTree,
): Promise<Markup> {
  const path = url.searchParams.getAll("at");
  const top = nodeAt(flame.root, path);
  const address = addresses(url, meta);
  if (!top || flame.traces === 0) {
    return (
      <p class="empty">
        The graph has no such path.{" "}
        <a href={runPath(meta.id, "/flame")}>Show all of it</a>
      </p>
    );
  }
  const boxes = flameBoxes(top, path);
  const text = url.searchParams.get("find")?.trim().toLowerCase() ?? "";
  const found = text === "" ? undefined : findBoxes(boxes, text);
  return (
    <>
      {found &&
        (
          <p role="status">
            {found.boxes.size === 0
              ? ["Nothing here is called ", <code>{text}</code>, "."]
              : [
                <code>{text}</code>,
                ` takes ${shareText(found.share)} of the time shown.`,
              ]}
          </p>
        )}
      {trail(path, address)}
      <Scroll className="flame-box" label="Flame graph">
        {flameGraph(boxes, await stepIds(meta, run), address, found?.boxes)}
      </Scroll>
      {exportLinks(meta.id, "flame", traceFilter(url))}
      <Block id="table" title="The same as a table">{flameTable(boxes)}</Block>
    </>
  );
}

/** Of the same graph with another box as its top. */
function addresses(url: URL, meta: RunMeta) {
  return (at: readonly string[]): string => {
    const query = traceFilter(url);
    const find = url.searchParams.get("find");
    if (find) query.set("find", find);
    for (const name of at) query.append("at", name);
    return withFilter(runPath(meta.id, "/flame"), query);
  };
}

function form(url: URL, meta: RunMeta): Markup {
  const kept = [...url.searchParams].filter(([name]) =>
    name !== "find" && name !== "outcome"
  );
  return (
    <form
      class="filter"
      action={runPath(meta.id, "/flame")}
      method="get"
      role="search"
    >
      {kept.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Select
        name="outcome"
        title="traces"
        options={[["", "all"], ...OUTCOMES]}
        chosen={url.searchParams.get("outcome")}
      />{" "}
      <label>
        find{" "}
        <input
          type="search"
          id="q"
          name="find"
          value={url.searchParams.get("find") ?? ""}
          placeholder="ttfb"
        />
      </label>{" "}
      <button type="submit">Apply</button>
    </form>
  );
}

function trail(
  path: readonly string[],
  address: (path: readonly string[]) => string,
): Markup {
  return (
    <nav class="trail" aria-label="Path in the graph">
      <a href={address([])}>all</a>
      {path.map((name, i) => (
        <>
          <span aria-hidden="true">›</span>{" "}
          <a
            href={address(path.slice(0, i + 1))}
            aria-current={i === path.length - 1 ? "true" : undefined}
          >
            {name}
          </a>
        </>
      ))}
    </nav>
  );
}
