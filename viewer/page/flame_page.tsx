import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import { isFunctional, type Mode } from "../../lib/model/mode.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
  Scroll,
} from "../markup/data_table.tsx";
import { chosenTraces, flameOf, stepIds } from "../store/run_facts.ts";
import { unusableFields } from "../model/traces.ts";
import {
  findBoxes,
  type FlameBox,
  flameBoxes,
  type FlameTree,
  nodeAt,
} from "../model/flame.ts";
import { readable, type RunDirectory } from "../store/run_directory.ts";
import { exportLinks } from "./run_heading.tsx";
import { OUTCOME_NAMES } from "../../lib/model/outcome.ts";
import {
  Block,
  IgnoredFields,
  NoTraceFits,
  NoTraces,
  Select,
  Unreadable,
} from "./parts.tsx";
import {
  type PageResponse,
  runPath,
  type RunRequest,
  traceFilter,
  withFilter,
} from "./page_request.ts";
import { stepClass } from "../model/words.ts";
import { coordinate, PHASE_FILLS } from "../chart/frame.tsx";

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
  const { value: made, error } = await readable(async () => {
    const chosen = await chosenTraces(run, url.searchParams);
    return { ...chosen, flame: await flameOf(run, chosen) };
  });
  if (!made) return page((<Unreadable error={error ?? ""} />));
  const { entries, all, flame } = made;
  if (entries.length === 0 && all) return page((<NoTraces meta={meta} />));
  return page(
    (<>
      {entries.length > 0 && introduction(meta, flame, all)}
      {filterForm(url, meta)}
      <IgnoredFields of={ignoredFields(url)} />
      {entries.length > 0
        ? await graph(url, meta, run, flame)
        : <NoTraceFits all={runPath(meta.id, "/flame")} />}
    </>),
  );
}

/** The fields of its query that are not its own and choose no traces. */
function ignoredFields({ searchParams }: URL): string[] {
  const fields = new URLSearchParams(searchParams);
  for (const own of ["at", "find", "trace"]) fields.delete(own);
  return unusableFields(fields);
}

function introduction(meta: RunMeta, flame: FlameTree, all: boolean): Markup {
  return (
    <p class="note">
      {all
        ? sampleText(meta, flame.traces)
        : `Made of the ${
          plural(flame.traces, "kept trace")
        } that fit. ${NO_AVERAGES}`}{" "}
      The width of a box is the time spent in it and below; a strip at its foot
      is the part of it in traces that did not pass. A box opens on a click.
    </p>
  );
}

const NO_AVERAGES =
  "Failed and slow ones are kept more often than others: these times are no averages of the run.";

/** Of what the times are that stand for the whole run. */
export function sampleText(
  { mode, iterations, ended_at }: RunMeta,
  traces: number,
): string {
  const all = plural(iterations.completed, "iteration");
  if (traces >= iterations.completed) {
    const each = iterations.completed === 1
      ? "the one iteration"
      : `all ${all}`;
    return `Made of ${each}.`;
  }
  const some = `${countText(traces)} of ${all}`;
  if (isFunctional(mode as Mode)) return `Made of ${some}.`;
  // The sample is whole when the run ends: until then failures are stored first.
  return ended_at === null
    ? `Made of the traces that are stored so far, ${some}. ${NO_AVERAGES}`
    : `Made of a random sample of ${some}.`;
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
  if (!top) {
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
              ? [
                "No box is called ",
                <code>{text}</code>,
                "; those below 0.1% of the width are put together as ",
                <code>other</code>,
                ".",
              ]
              : [
                <code>{text}</code>,
                ` takes ${shareText(found.share)} of the time shown.`,
              ]}
          </p>
        )}
      {pathLinks(path, address)}
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

function filterForm(url: URL, meta: RunMeta): Markup {
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
        options={[
          ["", "all"],
          ...OUTCOME_NAMES.map((each) => [each, each] as const),
        ]}
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

function pathLinks(
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

const WIDTH = 1000;
const ROW = 24;

/**
 * Boxes as SVG: every box is a link that makes it the whole width, so the graph
 * works with the keyboard, with a screen reader and without scripts.
 *
 * @param address of the graph with a path as its top; none in a report file
 * @param found boxes that are looked for; the others are dimmed
 */
export function flameGraph(
  boxes: readonly FlameBox[],
  ids: readonly string[],
  address?: (path: readonly string[]) => string,
  found?: ReadonlySet<FlameBox>,
): Markup {
  const rows = boxes.reduce((max, box) => Math.max(max, box.depth), 0) + 1;
  return (
    <svg
      class="flame"
      viewBox={`0 0 ${WIDTH} ${rows * ROW}`}
      role="group"
      aria-label="Flame graph"
    >
      {boxes.map((box) => {
        const drawn = boxShapes(box, ids, found && !found.has(box));
        return address && !box.name.startsWith("other (")
          ? <a href={address(box.path)} aria-label={boxLabel(box)}>{drawn}</a>
          : drawn;
      })}
    </svg>
  );
}

function boxShapes(box: FlameBox, ids: readonly string[], dim = false): Markup {
  const x = box.from * WIDTH;
  const y = box.depth * ROW;
  const width = box.width * WIDTH;
  const letters = Math.floor((width - 8) / 7);
  const step = box.path[0] ?? "";
  const kind = box.depth === 0 && box.path.length === 0
    ? "root"
    : Object.hasOwn(PHASE_FILLS, box.name)
    ? `p-${box.name}`
    : `fill-${stepClass(ids, step)}`;
  const bad = box.total === 0 ? 0 : box.bad / box.total;
  return (
    <g class={dim ? "dim" : undefined}>
      <title>{boxLabel(box)}</title>
      <rect
        class={`box ${kind}`}
        fill="#8aa"
        x={coordinate(x)}
        y={y}
        width={coordinate(Math.max(0.5, width))}
        height={ROW - 1}
      />
      {bad > 0 &&
        (
          <rect
            class="badshare"
            fill="#D55E00"
            x={coordinate(x)}
            y={y + ROW -
              4}
            width={coordinate(width * bad)}
            height="3"
          />
        )}
      {box.name.length <= letters &&
        <text x={coordinate(x + 4)} y={y + 15}>{box.name}</text>}
    </g>
  );
}

function boxLabel(box: FlameBox): string {
  const bad = box.total === 0 ? 0 : box.bad / box.total;
  return `${box.name}: ${latencyText(box.total / 1_000)}, ${
    shareText(box.width)
  } of the width, ${plural(box.count, "span")}${
    bad > 0 ? `, ${shareText(bad)} in traces that did not pass` : ""
  }`;
}

const ROWS = 200;

/** Every box in words, the most time of its own first. */
export function flameTable(boxes: readonly FlameBox[]): Markup {
  const whole = boxes[0]?.total || 1;
  const time = (
    title: string,
    us: (box: FlameBox) => number,
  ) => figure<FlameBox>(title, (box) => latencyText(us(box) / 1_000));
  const columns: readonly Column<FlameBox>[] = [
    naming("path", pathText),
    time("own time", ({ self }) => self),
    figure("share", ({ self }) => shareText(self / whole)),
    time("with all below", ({ total }) => total),
    figure("spans", ({ count }) => countText(count)),
    time("average", ({ total, count }) => total / Math.max(1, count)),
  ];
  const rows = boxes.toSorted((a, b) => b.self - a.self).slice(0, ROWS);
  return <DataTable columns={columns} rows={rows} label="Time by path" />;
}

function pathText({ path, name }: FlameBox): string {
  const text = path.length === 0 ? "all" : path.join(" › ");
  return name.startsWith("other (") ? `${text} › ${name}` : text;
}
