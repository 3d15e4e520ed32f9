import { COMMANDS } from "../../cli/commands.ts";
import { flagText } from "../../cli/options/command.ts";
import type { Option, Options } from "../../cli/options/option.ts";
import { markdownTable, meaning, type Tables } from "./page.ts";

/** The options that other pages and tables refer to. */
const FIRST = "run";

/** `flags <command>`: the options of each command that has some. */
export function flagTables(): Tables {
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
