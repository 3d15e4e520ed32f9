import {
  COMPARING,
  DUELLING,
  REPLAYING,
  SEARCHING,
} from "../../cli/judge/judging_options.ts";
import type { Option, Options } from "../../cli/options/option.ts";
import {
  capacityParams,
  compareParams,
  duelParams,
  mergeParams,
  replayParams,
  runParams,
} from "../../cli/rpc/params.ts";
import { CARRY_OUT } from "../../cli/run/run_options.ts";
import { MERGING } from "../../cli/shards/shard_options.ts";
import { choices, coded, markdownTable, sentence } from "./page.ts";

interface Method {
  readonly options: Options;
  readonly params: { readonly entries: object };
}

/** The methods that take options of commands. */
const METHODS: Readonly<Record<string, Method>> = {
  run: { options: CARRY_OUT, params: runParams },
  compare: { options: COMPARING, params: compareParams },
  merge: { options: MERGING, params: mergeParams },
  duel: { options: DUELLING, params: duelParams },
  capacity: { options: SEARCHING, params: capacityParams },
  replay: { options: REPLAYING, params: replayParams },
};

/** Each option of a command that is a parameter too, with the methods that take it. */
export function rpcTable(): string {
  const rows = new Map<Option, { name: string; methods: string[] }>();
  for (const [method, { options, params }] of Object.entries(METHODS)) {
    for (const [key, option] of Object.entries(options)) {
      const row = rows.get(option) ??
        { name: nameIn(params.entries, key), methods: [] };
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

/** Durations are in seconds, and a flag that may be repeated is a list. */
function nameIn(entries: object, key: string): string {
  const name = [key, `${key}_s`, `${key}s`].find((each) => each in entries);
  if (name === undefined) throw new Error(`No method takes \`${key}\``);
  return name;
}

function meaningOf({ kind, about, fallback }: Option): string {
  const text = about.replace("; may be repeated", "");
  return [
    sentence(coded(text)),
    kind.type === "words" ? sentence(choices(kind.words)) : "",
    TYPES[kind.type] ?? "",
    fallback === undefined
      ? ""
      : `Default \`${valueText(kind.type, fallback)}\`.`,
  ].filter((each) => each).join(" ");
}

const TYPES: Readonly<Partial<Record<Option["kind"]["type"], string>>> = {
  texts: "A list of texts.",
  share: "A share: 0.05 is 5 %.",
  duration: "Seconds.",
};

function valueText(type: Option["kind"]["type"], fallback: string): string {
  if (type === "share") return String(parseFloat(fallback) / 100);
  return type === "duration" ? String(parseFloat(fallback)) : fallback;
}
