import { EXIT, EXIT_MEANING } from "../../lib/base/errors/bench_error.ts";
import { OPERATORS } from "../../lib/language/expressions/operator.ts";
import { STATS } from "../../lib/language/expressions/threshold.ts";
import { RATES } from "../../lib/model/rates.ts";
import { NAMED_FORMATS } from "../../viewer/model/formats.ts";
import { flagTables } from "./flag_tables.ts";
import { keyTables } from "./key_tables.ts";
import { markdownTable, sentence, type Tables } from "./page.ts";
import { rpcTable } from "./rpc_table.ts";

/** Every table of the documentation that the program has the rows of. */
export function referenceTables(): Tables {
  return {
    ...flagTables(),
    ...keyTables(),
    "exit codes": exitTable,
    "formats": formatTable,
    "measures": measureTable,
    "operators": operatorTable,
    "rpc options": rpcTable,
  };
}

function exitTable(): string {
  return markdownTable(
    ["code", "meaning"],
    Object.entries(EXIT_MEANING).map(([name, meaning]) => [
      String(EXIT[name as keyof typeof EXIT]),
      sentence(meaning),
    ]),
  );
}

function formatTable(): string {
  return markdownTable(
    ["form", "ends in", "is"],
    NAMED_FORMATS.map(([name, { ending, use, more }]) => [
      `\`${name}\``,
      `\`${ending}\``,
      [use, more].filter((each) => each !== undefined).map(sentence).join(" "),
    ]),
  );
}

function measureTable(): string {
  const quoted = (words: readonly string[]) =>
    words.map((each) => `\`${each}\``).join(", ");
  const latency = STATS.map((each) => `${each}(latency)`);
  return markdownTable(["measure", "value"], [
    [
      `${quoted(latency)}, \`p1(latency)\` to \`p100(latency)\``,
      "A duration.",
    ],
    [
      quoted(RATES),
      "A share from 0 to 1, or a percentage: `1%`, `1 %`, `0.01` and `1e-2` are the same.",
    ],
  ]);
}

function operatorTable(): string {
  return markdownTable(
    ["operator", "holds when"],
    Object.entries(OPERATORS).map(([name, { meaning, version }]) => [
      `\`${name}\``,
      sentence(meaning) + (version ? ` Version ${version}.` : ""),
    ]),
  );
}
