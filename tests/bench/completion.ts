import { Editor } from "../support/lsp_client.ts";
import { workspace } from "../support/bench.ts";
import type { Figure } from "./figure.ts";

const FLOW = "long.bench.yaml";

/** A flow of `lines` lines, with `typed` in its last step. */
function longFlow(lines: number, typed: string): string {
  const head = ["flow: long", "data: users.csv", "steps:"];
  const step = (n: number) => [
    `  - id: step_${n}`,
    `    call: GET /items/{{ user.id }}/${n}`,
    `    headers: { X-Name: "{{ user.name }}" }`,
    `    extract: { id_${n}: $.id }`,
    "    assert: [status == 200, $.id != null]",
  ];
  const steps = Array.from(
    { length: (lines - head.length) / 5 },
    (_, n) => step(n),
  );
  return [...head, ...steps.flat(), "  - id: last", typed].join("\n");
}

/** A letter is typed and completion asked for, in a flow of 500 lines. */
export async function measureCompletion(rounds: number): Promise<Figure[]> {
  using folder = workspace({ "users.csv": "id,name\n1,ada\n" });
  await using editor = await Editor.start(folder.path);
  const took: number[] = [];
  const typed = ["    ca¦", "    call: GET /{{ us¦ }}", "    assert: [sta¦]"];
  await editor.open(FLOW, longFlow(500, ""));
  for (let round = -3; round < rounds; round++) {
    for (const each of typed) {
      // Another text each time, as when something is typed.
      const text = longFlow(500, `    # ${round}\n${each}`);
      const start = performance.now();
      const { items } = await editor.at("completion", FLOW, text);
      if (items.length === 0) throw new Error(`nothing fits ${each}`);
      if (round >= 0) took.push(performance.now() - start);
    }
  }
  took.sort((a, b) => a - b);
  return [
    {
      name: "completion in a flow of 500 lines, median",
      value: took[Math.floor(took.length / 2)]!,
      unit: "ms",
      expected: { op: "<=", limit: 50 },
    },
    {
      name: "completion in a flow of 500 lines, slowest",
      value: took.at(-1)!,
      unit: "ms",
      expected: { op: "<=", limit: 50 },
    },
  ];
}
