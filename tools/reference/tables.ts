import { COMMANDS } from "../../cli/commands.ts";
import { flagText } from "../../cli/options/command.ts";
import type { Option, Options } from "../../cli/options/option.ts";
import { METHODS } from "../../cli/rpc/methods.ts";
import { paramName, UNITS } from "../../cli/rpc/method.ts";
import { EXIT, EXIT_MEANING } from "../../lib/base/errors/bench_error.ts";
import {
  EXISTENCE,
  OPERATORS,
} from "../../lib/language/expressions/operator.ts";
import { STATS } from "../../lib/language/expressions/threshold.ts";
import { METRICS, PLAIN_METRICS } from "../../lib/model/metrics.ts";
import { NAMED_FORMATS } from "../../viewer/model/formats.ts";
import { keyTables } from "./key_tables.ts";
import { markdownTable, meaning, sentence, type Tables } from "./page.ts";

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
    Object.entries(EXIT_MEANING).map(([name, text]) => [
      String(EXIT[name as keyof typeof EXIT]),
      sentence(text),
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
  const rows = Object.entries(OPERATORS).map(([name, each]) => ({
    name,
    text: sentence(each.meaning) +
      (each.version ? ` Version ${each.version}.` : ""),
  }));
  const words = Object.entries(EXISTENCE).map(([name, meaning]) => ({
    name,
    text: sentence(meaning),
  }));
  return markdownTable(
    ["operator", "holds when"],
    [...Map.groupBy([...rows, ...words], ({ text }) => text)].map((
      [text, same],
    ) => [same.map(({ name }) => `\`${name}\``).join(", "), text]),
  );
}

/** The options that other pages and tables refer to. */
const FIRST = "run";

/** `flags <command>`: the options of each command that has some. */
function flagTables(): Tables {
  const first = optionsOf(FIRST);
  return Object.fromEntries(
    COMMANDS.filter(({ options }) => options).map(({ name }) =>
      [`flags ${name}`, () => flagTable(name, first)] as const
    ),
  );
}

function optionsOf(name: string): Options {
  return COMMANDS.find((each) => each.name === name)?.options ?? {};
}

function flagTable(name: string, first: Options): string {
  const all = Object.entries(optionsOf(name));
  const same = name === FIRST
    ? []
    : all.filter(([key, option]) =>
      first[key] !== undefined && meaningOf(first[key]) === meaningOf(option)
    );
  const own = all.filter((each) => !same.includes(each));
  return markdownTable(["flag", "meaning"], [
    ...own.map(([key, option]) => [
      `\`${flagText(key, option)}\``.replace(", ", "`, `"),
      meaningOf(option),
    ]),
    ...same.length > 0
      ? [[
        same.map(([key]) => `\`--${key.replaceAll("_", "-")}\``).join(", "),
        "As for `run`.",
      ]]
      : [],
  ]);
}

function meaningOf({ about, more, kind, fallback, needed }: Option): string {
  const text = more === undefined ? about : `${about}; ${more}`;
  return meaning({
    text,
    words: kind.type === "words" ? kind.words : undefined,
    more: needed && kind.type !== "off" ? "Required." : "",
    fallback,
  });
}

/**
 * Each option of a command that is a parameter too, with its value and the methods
 * that take it; what it does, the tables of the commands say.
 */
function rpcTable(): string {
  const methods = new Map<string, string[]>();
  for (const [method, { options }] of Object.entries(METHODS)) {
    for (const [key, option] of Object.entries(options)) {
      const row = `\`${paramName(key, option)}\`\n${valueOf(option)}`;
      methods.set(row, [...methods.get(row) ?? [], `\`${method}\``]);
    }
  }
  const rows = [...methods].map(([row, of]) => {
    const [name, value] = row.split("\n") as [string, string];
    return { name, cells: [of.join(", "), value] };
  });
  const alike = Map.groupBy(rows, ({ cells }) => cells.join("\n"));
  return markdownTable(
    ["option", "of", "value"],
    [...alike.values()].map((same) => [
      same.map(({ name }) => name).join(", "),
      ...same[0]!.cells,
    ]),
  );
}

const VALUES: Readonly<Record<Option["kind"]["type"], string>> = {
  switch: "A boolean",
  off: "A boolean",
  text: "A text",
  own: "A text",
  words: "",
  whole: "A whole number",
  positive: "A number",
  texts: "",
  percentage: "",
  duration: "",
};

function valueOf({ kind, fallback }: Option): string {
  return meaning({
    text: kind.type === "words"
      ? kind.words.map((each) => `\`${each}\``).join(", ")
      : UNITS[kind.type] ?? VALUES[kind.type],
    fallback: kind.type === "off"
      ? "true"
      : fallback && valueText(kind.type, fallback),
  });
}

function valueText(type: Option["kind"]["type"], fallback: string): string {
  if (type === "percentage") return String(parseFloat(fallback) / 100);
  return type === "duration" ? String(parseFloat(fallback)) : fallback;
}
