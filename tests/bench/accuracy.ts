/**
 * `deno task accuracy`: what tools say of a target whose service times are known.
 *
 * The truth is in the packets, or in the record of the target where they cannot be had.
 * The target runs on core 0, each tool on core 1, one after the other, several times,
 * and the round in the middle counts. It reports; it never fails because of a number.
 */
import { print, readArguments } from "../../tools/command.ts";
import { columns } from "./figure.ts";
import { MEASURING } from "./process_cost.ts";
import { SHAPE_TEXTS, SHAPES } from "./known_shapes.ts";
import {
  isInstalled,
  type KnownTool,
  type Percentiles,
  percentilesOf,
  PERCENTS,
  TOOLS,
} from "./known_tools.ts";
import { startOwnServer } from "./own_server.ts";
import { recordWire, whyNoWire } from "./wire_record.ts";

const { values: { quick, json: jsonFile } } = readArguments({
  task: "accuracy",
  takes: "[--quick] [--realtime] [--json FILE]",
  about:
    "Measures what tools say of a target whose service times are known; takes twelve minutes.",
}, MEASURING);
const ROUNDS = quick ? 1 : 3;
const VUS = 20;
const RATE = 1_000;

/** One tool against one shape in one loop. */
interface Cell {
  readonly shape: string;
  readonly loop: "closed" | "open";
  readonly tool: string;
  readonly truth: Percentiles;
  readonly said: Percentiles;
}

/** Starts a target of its own for the run: its record is the run's. */
async function measure(
  tool: KnownTool,
  shape: typeof SHAPES[number],
  loop: "closed" | "open",
): Promise<Cell> {
  await using server = await startOwnServer("known_server.ts", [shape]);
  const url = `http://127.0.0.1:${server.port}`;
  const wire = noWire === undefined ? await recordWire(server.port) : undefined;
  const said = await tool.run({
    url,
    seconds: shape === "stall" ? 10 : quick ? 2 : 5,
    vus: loop === "closed" ? VUS : 50,
    ...(loop === "open" && { rate: RATE }),
  });
  const truth = percentilesOf(
    await (wire?.end() ?? recordOf(url)),
  );
  return { shape, loop, tool: tool.name, truth, said };
}

/** The target's own record of its service times. */
async function recordOf(url: string): Promise<readonly number[]> {
  const response = await fetch(`${url}/truth`);
  return await response.json() as number[];
}

/** How far a cell is from the truth at each percentile, in milliseconds. */
function errors({ truth, said }: Cell): number[] {
  return truth.map((value, at) => said[at]! - value);
}

/** The round whose errors are in the middle. */
function middle(rounds: readonly Cell[]): Cell {
  const size = (cell: Cell) =>
    errors(cell).reduce((sum, each) => sum + Math.abs(each), 0);
  const sorted = rounds.toSorted((a, b) => size(a) - size(b));
  return sorted[sorted.length >> 1]!;
}

function row(cell: Cell): string[] {
  const parts = errors(cell).map((error, at) =>
    `${cell.truth[at]!.toFixed(2)} ${error < 0 ? "-" : "+"}${
      Math.abs(error).toFixed(2)
    }`
  );
  return [`${cell.shape}, ${cell.loop}`, cell.tool, ...parts];
}

const noWire = await whyNoWire();
if (noWire !== undefined) {
  print(`the truth is the target's own record, not the packets: ${noWire}`);
}
const absent = TOOLS.filter((tool) => !isInstalled(tool));
if (absent.length > 0) {
  print(`not installed: ${absent.map(({ name }) => name).join(", ")}`);
}
const cells: Cell[] = [];
for (const shape of SHAPES) {
  print(`${shape}: ${SHAPE_TEXTS[shape]}`);
  for (const loop of ["closed", "open"] as const) {
    const rivals = TOOLS.filter((tool) =>
      isInstalled(tool) && tool.loops.includes(loop)
    );
    const rounds = new Map<string, Cell[]>(
      rivals.map(({ name }) => [name, []]),
    );
    for (let round = 0; round < ROUNDS; round++) {
      for (const tool of rivals) {
        rounds.get(tool.name)!.push(await measure(tool, shape, loop));
      }
    }
    cells.push(...[...rounds.values()].map(middle));
  }
}
print(
  `\nthe truth, and how far from it the tool is, in ms\n\n${
    columns([
      ["", "", ...PERCENTS.map((percent) => `p${percent}`)],
      ...cells.map(row),
    ])
  }`,
);
for (const cell of cells.filter(({ tool }) => tool === "bench")) {
  const own = errors(cell);
  for (const rival of cells) {
    if (rival.shape !== cell.shape || rival.loop !== cell.loop) continue;
    errors(rival).forEach((error, at) => {
      if (Math.abs(error) >= Math.abs(own[at]!)) return;
      print(
        `nearer than bench: ${rival.tool} at p${
          PERCENTS[at]
        } of ${cell.shape}, ${cell.loop}`,
      );
    });
  }
}
if (jsonFile !== undefined) {
  await Deno.writeTextFile(jsonFile, JSON.stringify(cells, null, 2) + "\n");
}
