import type { Option } from "../../cli/options/option.ts";
import { METHODS } from "../../cli/rpc/methods.ts";
import { paramName, UNITS } from "../../cli/rpc/method.ts";
import { markdownTable, meaning } from "./page.ts";

/** Each option of a command that is a parameter too, with the methods that take it. */
export function rpcTable(): string {
  const rows = new Map<Option, { name: string; methods: string[] }>();
  for (const [method, { options }] of Object.entries(METHODS)) {
    for (const [key, option] of Object.entries(options)) {
      const row = rows.get(option) ??
        { name: paramName(key, option), methods: [] };
      row.methods.push(`\`${method}\``);
      rows.set(option, row);
    }
  }
  return markdownTable(
    ["option", "of", "is"],
    [...rows].map(([option, { name, methods }]) => [
      `\`${name}\``,
      methods.join(", "),
      meaningOf(option),
    ]),
  );
}

function meaningOf({ kind, about, fallback }: Option): string {
  const text = about.replace("; may be repeated", "");
  return meaning({
    text,
    words: kind.type === "words" ? kind.words : undefined,
    more: UNITS[kind.type],
    fallback: fallback && valueText(kind.type, fallback),
  });
}

function valueText(type: Option["kind"]["type"], fallback: string): string {
  if (type === "percentage") return String(parseFloat(fallback) / 100);
  return type === "duration" ? String(parseFloat(fallback)) : fallback;
}
