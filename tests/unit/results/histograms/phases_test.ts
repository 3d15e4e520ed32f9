import assert from "node:assert/strict";
import { startMarks } from "../../../../lib/model/result/response.ts";
import {
  mergePhases,
  PhaseRecorder,
} from "../../../../lib/results/histograms/latencies.ts";

Deno.test("PhaseRecorder times each phase from the end of the one before", () => {
  const phases = new PhaseRecorder();
  const first = { dns: 12, connect: 15, tls: 25 };
  phases.note({ ...startMarks(10), ...first, firstByte: 45, end: 46 });
  phases.note({ ...startMarks(50), firstByte: 60, end: 64 });
  const { connect, tls, ttfb, transfer } = mergePhases([phases.data()]);
  assert.deepEqual([connect!.count, connect!.max], [1, 3]);
  assert.deepEqual([tls!.count, tls!.max], [1, 10]);
  assert.deepEqual([ttfb!.count, ttfb!.min, ttfb!.max], [2, 10, 20]);
  assert.deepEqual([transfer!.min, transfer!.max], [1, 4]);
});

Deno.test("PhaseRecorder has no phase of an exchange that failed or got no response", () => {
  const phases = new PhaseRecorder();
  phases.note({ ...startMarks(0), connect: 1, end: 30 });
  phases.note({ ...startMarks(0), firstByte: 4, end: 9, failed: "transfer" });
  assert.deepEqual(mergePhases([phases.data()]), {});
});

Deno.test("mergePhases puts the phases of several threads together", () => {
  const parts = [5, 7].map((ms) => {
    const phases = new PhaseRecorder();
    phases.note({ ...startMarks(0), firstByte: ms, end: ms });
    return phases.data();
  });
  const { ttfb } = mergePhases(parts);
  assert.deepEqual([ttfb!.count, ttfb!.avg], [2, 6]);
});
