import { deepEqual } from "node:assert/strict";
import {
  DataTable,
  figure,
  naming,
} from "../../../viewer/markup/data_table.tsx";

interface Row {
  readonly name: string;
  readonly why: readonly string[];
}

Deno.test("DataTable: a sparse column is left out where no row has anything in it", () => {
  const heads = (...whys: readonly string[][]) => {
    const { text } = DataTable<Row>({
      columns: [
        naming("name", ({ name }) => name),
        figure("none", () => "–"),
        figure("why", ({ why }) => why, { sparse: true }),
      ],
      rows: whys.map((why) => ({ name: "a", why })),
      label: "Rows",
    });
    return [...text.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map((
      [, title],
    ) => title);
  };
  deepEqual(heads([], []), ["name", "none"]);
  deepEqual(heads([], ["late"]), ["name", "none", "why"]);
});
