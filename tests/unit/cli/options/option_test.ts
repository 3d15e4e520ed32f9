import { deepStrictEqual, equal, match, throws } from "node:assert/strict";
import { Argument, Command } from "commander";
import * as v from "valibot";
import { addCommand } from "../../../../cli/options/command.ts";
import {
  duration,
  off,
  type Options,
  percentage,
  text,
  texts,
  toggle,
  whole,
  words,
} from "../../../../cli/options/option.ts";
import { flagsOf, paramsOf } from "../../../../cli/rpc/method.ts";

const TABLE = {
  seed: whole(0, 9)("integer", "a seed", { fallback: "1" }),
  margin: percentage("percent", "how much", { fallback: "5%" }),
  trial: duration("2s", "1s")("duration", "how long", { fallback: "10s" }),
  stop_on_breach: toggle("stops", { short: "-s" }),
  resolve: texts("host:port:address", "where"),
  form: words(["a", "b"])("form", "which"),
};

/** What a command with these options is called with, and what it says. */
async function called(options: Options, ...args: string[]) {
  const shown: string[] = [];
  const given: unknown[] = [];
  const program = new Command().exitOverride()
    .configureOutput({
      writeErr: (text) => shown.push(text),
      writeOut: (text) => shown.push(text),
    });
  const load = () =>
    Promise.resolve((...all: unknown[]) => {
      given.push(...all);
      return 0;
    });
  addCommand(
    program,
    {
      ...{ name: "try", about: "tries", options, load },
      arguments: [new Argument("<flow>")],
    },
    async (body) => void await body({} as never),
  );
  for (const each of program.commands) each.copyInheritedSettings(program);
  await program.parseAsync(["try", ...args], { from: "user" })
    .catch(() => undefined);
  return { given: given.slice(0, 2), shown: shown.join("") };
}

Deno.test("addCommand() hands over values, and fallbacks as they are read", async () => {
  const { given } = await called(
    TABLE,
    "f",
    "--resolve=a",
    "--resolve=b",
    "-s",
  );
  const fallbacks = { seed: 1, margin: 0.05, trial: 10_000_000 };
  const resolve = ["a", "b"];
  deepStrictEqual(given, ["f", { ...fallbacks, stopOnBreach: true, resolve }]);
});

Deno.test("addCommand() shows a fallback as a person writes it", async () => {
  const { shown } = await called(TABLE, "--help");
  match(shown, /how long \(default: 10s\)/);
  match(shown, /how much \(default: 5%\)/);
});

Deno.test("addCommand() refuses to do without an option that is needed", async () => {
  const options = { target: text("file", "where to", { needed: true }) };
  const { shown, given } = await called(options, "f");
  match(shown, /required option '--target <file>' not specified/);
  deepStrictEqual(given, []);
  equal((await called(options, "f", "--target=x")).given.length, 2);
});

Deno.test("addCommand() refuses a value that is out of bounds", async () => {
  match((await called(TABLE, "f", "--seed=10")).shown, /from 0 to 9.*"10"/);
  match((await called(TABLE, "f", "--trial=1s")).shown, /2s or longer/);
  match((await called(TABLE, "f", "--form=c")).shown, /choices are a, b/);
});

Deno.test("addCommand() refuses a second value of an option that takes one", async () => {
  for (
    const [first, second] of [["--form=a", "--form=a"], [
      "--seed=1",
      "--seed=2",
    ]] as const
  ) {
    const { shown, given } = await called(TABLE, "f", first, second);
    match(
      shown,
      /option '--\w+ <\w+>' is given more than once: it takes one value/,
    );
    deepStrictEqual(given, []);
  }
  equal((await called(TABLE, "f", "-s", "-s")).given.length, 2);
});

Deno.test("off() is true unless its --no- flag is given", async () => {
  const options = { payloads: off("leaves them out") };
  deepStrictEqual((await called(options, "f")).given[1], { payloads: true });
  const { given } = await called(options, "f", "--no-payloads");
  deepStrictEqual(given[1], { payloads: false });
});

Deno.test("paramsOf() takes the same values: shares as numbers, durations in seconds", () => {
  const schema = v.strictObject(paramsOf(TABLE));
  deepStrictEqual(v.parse(schema, {}), { seed: 1, margin: 0.05, trial_s: 10 });
  const given = {
    ...{ stop_on_breach: false, trial_s: 1, form: "b", resolve: ["a"] },
  };
  deepStrictEqual(v.parse(schema, given), { seed: 1, margin: 0.05, ...given });
  for (
    const wrong of [
      { seed: 10 },
      { seed: 1.5 },
      { trial_s: 0.5 },
      { form: "c" },
      {
        margin: 0,
      },
    ]
  ) throws(() => v.parse(schema, wrong), JSON.stringify(wrong));
});

Deno.test("flagsOf() gives what the command line gives a command", async () => {
  const args = ["f", "--trial=3s", "-s", "--resolve=a"];
  const params = { trial_s: 3, stop_on_breach: true, resolve: ["a"] };
  const schema = v.strictObject(paramsOf(TABLE));
  deepStrictEqual(
    flagsOf(TABLE, v.parse(schema, params)),
    (await called(TABLE, ...args)).given[1],
  );
});

Deno.test("addCommand() refuses an option without the one that it needs", async () => {
  const table = {
    serve: toggle("serves"),
    addr: text("host:port", "where", { needs: "serve" }),
    grace: duration("0s")("duration", "how long", {
      ...{ fallback: "5s", needs: "serve" },
    }),
  };
  for (const args of [["--addr", ":1"], ["--grace=1s"]]) {
    const { given, shown } = await called(table, "f", ...args);
    deepStrictEqual(given, []);
    match(shown, /^error: --(?:addr|grace) needs --serve\n/);
    equal((await called(table, "f", "--serve", ...args)).given[0], "f");
  }
  equal((await called(table, "f")).given[0], "f");
});
