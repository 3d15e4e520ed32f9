import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { routeTable } from "../../../../cli/demo/route.ts";

const handler = () => new Response();

Deno.test("routeTable: an exact path wins over a path with a star", () => {
  const exact = () => new Response();
  const table = routeTable({ "GET /a/*": handler, "GET /a/b": exact });
  deepStrictEqual(table.find("GET", "/a/b"), { handler: exact, rest: "" });
  deepStrictEqual(table.find("GET", "/a/c"), { handler, rest: "c" });
});

Deno.test("routeTable: a star stands for one segment", () => {
  const table = routeTable({ "GET /a/*": handler });
  strictEqual(table.find("GET", "/a/b/c"), undefined);
  strictEqual(table.find("GET", "/a"), undefined);
});

Deno.test("routeTable: a known path with another method names its methods", () => {
  const table = routeTable({ "GET /a": handler }, { "POST /a": handler });
  deepStrictEqual(table.find("PUT", "/a"), ["GET", "POST"]);
});

Deno.test("routeTable: the same route twice is an error", () => {
  throws(() => routeTable({ "GET /a": handler }, { "GET /a": handler }));
});
