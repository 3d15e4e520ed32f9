import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import { type Column, DataTable, figure } from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import type { FlameBox } from "../model/flame.ts";
import { stepClass } from "../model/steps.ts";
import { coordinate } from "./axis.ts";
import { PHASE_FILLS } from "./phases.tsx";

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
        const drawn = boxOf(box, ids, found && !found.has(box));
        return address && !box.name.startsWith("other (")
          ? <a href={address(box.path)} aria-label={labelOf(box)}>{drawn}</a>
          : drawn;
      })}
    </svg>
  );
}

function boxOf(box: FlameBox, ids: readonly string[], dim = false): Markup {
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
      <title>{labelOf(box)}</title>
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

function labelOf(box: FlameBox): string {
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
    {
      title: "path",
      kind: "head",
      narrow: "line",
      label: "",
      cell: pathText,
    },
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
