import { deepStrictEqual, equal } from "node:assert/strict";
import { routeTable } from "../../../viewer/routes.ts";

const route = routeTable({
  "/": 1,
  "/runs/:run": 2,
  "/runs/:run/traces/:trace": 3,
});

Deno.test("routes: finds a route and decodes the parts it names", () => {
  equal(route("/")?.value, 1);
  deepStrictEqual(route("/runs/a%20b/traces/ff"), {
    value: 3,
    params: { run: "a b", trace: "ff" },
  });
});

Deno.test("routes: a part that could be a path of its own fits nothing", () => {
  const cases = [
    "/runs/..%2f..%2fetc",
    "/runs/a/traces/.b",
    "/runs/..%5c..",
    "/runs/a%00b",
    "/runs/.hidden",
    "/runs/",
    "/runs/%zz",
    "/runs/a/traces",
    "/runs/a/traces/b/c",
    "//runs/a",
  ];
  for (const path of cases) equal(route(path), undefined, path);
});
