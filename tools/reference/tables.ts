import { EXIT, EXIT_MEANING } from "../../lib/base/errors/bench_error.ts";
import { OPERATORS } from "../../lib/language/expressions/operator.ts";
import { STATS } from "../../lib/language/expressions/threshold.ts";
import { METRICS, PLAIN_METRICS } from "../../lib/model/metrics.ts";
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
  const plain = [
    ...Map.groupBy(PLAIN_METRICS, (each) => METRICS[each].quantity),
  ];
  const latency = STATS.map((each) => `${each}(latency)`);
  return markdownTable(["measure", "value"], [
    [
      `${quoted(latency)}, \`p1(latency)\` to \`p100(latency)\``,
      METRICS.latency.quantity.written,
    ],
    ...plain.map(([{ written }, names]): [string, string] => {
      const since = METRICS[names[0]!].version;
      return [quoted(names), since ? `${written} Version ${since}.` : written];
    }),
  ]);
}

function operatorTable(): string {
  return markdownTable(
    ["operator", "holds when"],
    [...Map.groupBy(
      Object.entries(OPERATORS),
      ([, { meaning, version }]) =>
        sentence(meaning) + (version ? ` Version ${version}.` : ""),
    )].map(([text, same]) => [
      same.map(([name]) => `\`${name}\``).join(", "),
      text,
    ]),
  );
}
