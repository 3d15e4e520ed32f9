import type { Option } from "../../cli/options/option.ts";
import { METHODS } from "../../cli/rpc/methods.ts";
import { paramName, UNITS } from "../../cli/rpc/method.ts";
import { markdownTable, meaning } from "./page.ts";

/**
 * Each option of a command that is a parameter too, with its value and the methods
 * that take it; what it does, the tables of the commands say.
 */
export function rpcTable(): string {
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
