import { deepEqual, equal, throws } from "node:assert/strict";
import {
  type Diagnostic,
  Diagnostics,
  InputError,
} from "../../../../lib/base/text/diagnostic.ts";

const at = (line: number) => ({
  file: "flow.yaml",
  range: { line, column: 1, length: 1 },
});
const error = (line: number, message = "m"): Diagnostic => ({
  at: at(line),
  code: "c",
  message,
});
const refused = (diagnostics: Diagnostics) => diagnostics.refusal().diagnostics;

Deno.test("Diagnostics take a thing once, wherever it is found again", () => {
  const diagnostics = new Diagnostics();
  for (const each of [error(1), error(2), error(1), error(1, "n")]) {
    diagnostics.report(each);
  }
  equal(diagnostics.found.length, 3);
});

Deno.test("Diagnostics refuse for an error and not for a warning", () => {
  const diagnostics = new Diagnostics();
  diagnostics.report({ ...error(1), severity: "warning" });
  diagnostics.throwIfAny();
  equal(diagnostics.warnings.length, 1);
  diagnostics.report(error(2, "why"));
  throws(() => diagnostics.throwIfAny(), InputError);
  equal(diagnostics.refusal().message, "why");
});

Deno.test("Diagnostics of a flow are found by pointer, in its nearest part with a location", () => {
  const diagnostics = new Diagnostics();
  diagnostics.addText("flow.yaml", "a\nb {{ x }}\n");
  const locations = new Map([["/steps/0", at(2)]]);
  const report = diagnostics.reporter({ file: "flow.yaml", locations });
  report({ at: "/steps/0/id", code: "c", message: "1" });
  const inside = { pointer: "/steps/0", inside: "{{ x }}" };
  report({ at: inside, code: "c", message: "2" });
  report({ at: "/flow", code: "c", message: "3" });
  deepEqual(refused(diagnostics).map((each) => each.at), [
    at(2),
    { file: "flow.yaml", range: { line: 2, column: 3, length: 7 } },
    { file: "flow.yaml", pointer: "/flow" },
  ]);
});

Deno.test("Diagnostics show of a text what may be read of it", () => {
  const diagnostics = new Diagnostics();
  diagnostics.addText("flow.yaml", "secret", () => ({
    frame: "......",
    message: (text) => text.replaceAll("secret", "......"),
  }));
  diagnostics.report({ ...error(1, "a secret"), hint: "no secret" });
  const { diagnostics: [first], sources } = diagnostics.refusal();
  deepEqual([first!.message, first!.hint], ["a ......", "no ......"]);
  equal(sources.get("flow.yaml"), "......");
  equal(diagnostics.textOf("flow.yaml"), "secret");
});

Deno.test("Diagnostics of a broken file end where the reader stops", () => {
  const diagnostics = new Diagnostics({ most: 2 });
  diagnostics.report(error(1));
  diagnostics.report(error(2));
  equal(diagnostics.full, false);
  diagnostics.report(error(3));
  equal(diagnostics.full, true);
  deepEqual(refused(diagnostics).map(({ hint }) => hint), [
    undefined,
    "only the first 2 errors are listed",
  ]);
});

Deno.test("Diagnostics keep errors however many warnings there are", () => {
  const diagnostics = new Diagnostics({ most: 2 });
  for (let line = 1; line <= 5; line++) {
    diagnostics.report({ ...error(line), severity: "warning" });
  }
  diagnostics.report(error(6));
  equal(diagnostics.any, true);
  deepEqual(refused(diagnostics).map(({ hint }) => hint), [
    undefined,
    "only the first 2 warnings are listed",
    undefined,
  ]);
});
