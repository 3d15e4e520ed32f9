import {
  countText,
  latencyText,
  shareText,
} from "../../lib/results/report/figures.ts";
import { type Column, DataTable, figure } from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import type { FlameBox } from "../model/flame_layout.ts";

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
