import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  duration,
  longerThan0,
  rate,
} from "../../../../lib/language/fields/durations.ts";
import { Slot, type Value } from "../../../../lib/language/fields/field.ts";
import { ramp } from "../../../../lib/language/flow/ramp.ts";
import { target } from "../../../../lib/language/flow/target.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { registry } from "../../../../lib/steps/registry.ts";

/** The value of a key of a block, as its table has it. */
function fieldOf(kind: string, key: string): Value<unknown> {
  return registry.kinds.get(kind)!.block.fields[key]!.value;
}

/** Pieces that texts of each kind are made of, right ones and wrong ones. */
const CASES: Readonly<Record<string, readonly [Value<unknown>, string[]]>> = {
  duration: [duration, ["1", "0", "05", ".5", "ms", "s", "h", " ", "-", "x"]],
  longerThan0: [longerThan0, ["1", "0", ".0", "0", "us", "m", "h", " ", "-"]],
  rate: [rate, ["5/", "10", "/", "s", "1.5m", "0", " ", "-"]],
  ramp: [ramp, ["1 -> 50 over ", "0->", "2", " over ", "30s", "0s", " "]],
  call: [
    fieldOf("poll", "call"),
    ["GET /", "get", " ", "/a", "?b=1", "{{ x }}", "{", "}"],
  ],
  method: [fieldOf("grpc", "method"), ["a.b", "a/B", "/", "C", "1", "{{ x }}"]],
  proto: [fieldOf("grpc", "proto"), ["a.proto", "{{ x }}", " ", "/", ""]],
  operation_name: [
    fieldOf("graphql", "operation_name"),
    ["A", "b1", "1", "_", "-", "{{ x }}"],
  ],
  "a target's name": [target.fields["name"]!.value, ["a", "-", "1", "_", " "]],
};

for (const [what, [value, pieces]] of Object.entries(CASES)) {
  Deno.test(`${what}: what is read and what an editor takes are the same`, () => {
    const pattern = new RegExp(String(value.form["pattern"]), "u");
    const counts = { taken: 0, refused: 0 };
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (text) => {
        const reader = new Reader("f");
        const node = {
          kind: "scalar",
          value: text,
          text,
          plain: false,
          at: { file: "f" },
        } as const;
        const slot = new Slot(node, "", "it", reader);
        const taken = value.read(slot) !== undefined;
        counts[taken ? "taken" : "refused"]++;
        equal(reader.diagnostics.any, !taken);
        // A pattern does not see a number that is too fine or too large.
        const size = reader.diagnostics.found.some(({ message }) =>
          /finer than|too long|2\^53|from 0 to 0|must be at least/.test(message)
        );
        if (!size) equal(pattern.test(text), taken, JSON.stringify(text));
      }),
      { numRuns: 1_000 },
    );
    ok(counts.taken > 0 && counts.refused > 0, JSON.stringify(counts));
  });
}
