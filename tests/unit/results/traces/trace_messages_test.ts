import { deepEqual, equal, ok } from "node:assert/strict";
import {
  cutHead,
  headSize,
} from "../../../../lib/results/traces/trace_draft.ts";

const FITS = {
  line: "HTTP/1.1 200 OK",
  headers: [["A", "1"], ["B", "2"]] as const,
  body: "x",
};

Deno.test("cutHead gives back a head that fits as it is", () => {
  equal(cutHead(FITS), FITS);
});

Deno.test("cutHead leaves out whole fields, the long one and not those after it", () => {
  const headers = [["A", "1"], ["Long", "x".repeat(70_000)], [
    "B",
    "2",
  ]] as const;
  deepEqual(cutHead({ ...FITS, headers }), {
    ...FITS,
    headers_truncated: true,
  });
});

Deno.test("cutHead counts what a field takes besides its characters", () => {
  const headers = Array.from({ length: 50_000 }, () => ["a", "b"] as const);
  const cut = cutHead({ ...FITS, headers });
  ok(cut.headers.length < 700 && headSize(cut) <= 64 * 1024);
});

Deno.test("cutHead leaves out a reason phrase, and the target of a request, that are too long", () => {
  const long = "x".repeat(70_000);
  const lines = [`HTTP/1.1 404 ${long}`, `GET /${long} HTTP/1.1`].map((line) =>
    cutHead({ ...FITS, line }).line
  );
  deepEqual(lines, ["HTTP/1.1 404", "GET /… HTTP/1.1"]);
});
