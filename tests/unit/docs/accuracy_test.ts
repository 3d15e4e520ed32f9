import { deepStrictEqual, ok } from "node:assert/strict";
import { pageText } from "../../support/docs/blocks.ts";

const PAGE = pageText("docs/accuracy.md");

/** How much nearer a tool is where it counts as clearly nearer, in milliseconds. */
const CLEARLY = 0.1;

/** The rows of the table: what each tool says beside the truth, by column. */
function rows(): number[][][] {
  return PAGE.split("\n").filter((line) =>
    /^\| [a-z ]+, (?:closed|open) /.test(line)
  )
    .map((line) =>
      line.split("|").slice(2, -1).map((cell) =>
        cell.trim().split(" ").filter((each) => each !== "").map(Number)
      )
    );
}

Deno.test("docs/accuracy.md: the counts below the table are those of its cells", () => {
  const all = rows();
  ok(all.length === 10);
  const [, , ...others] = all[0]!;
  const counted = others.map((_, tool) => {
    const cells = all.flatMap((row) =>
      row[tool + 2]!.map((other, index) =>
        Math.abs(row[1]![index]!) - Math.abs(other)
      )
    );
    return {
      cells: cells.length,
      nearer: cells.filter((by) => by > 1e-9).length,
      clearly: cells.filter((by) => by > CLEARLY + 1e-9).length,
    };
  });
  const [wrk, hey, k6] = counted;
  const said =
    /`wrk` in (\d+) of its (\d+) cells, `hey` in (\d+) of (\d+), `k6` in (\d+) of (\d+)\. By more than 0\.1 ms: (\d+), (\d+) and (\d+)/
      .exec(PAGE);
  deepStrictEqual(said?.slice(1).map(Number), [
    ...[
      wrk!.nearer,
      wrk!.cells,
      hey!.nearer,
      hey!.cells,
      k6!.nearer,
      k6!.cells,
    ],
    ...[wrk!.clearly, hey!.clearly, k6!.clearly],
  ]);
});
