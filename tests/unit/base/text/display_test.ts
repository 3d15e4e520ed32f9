import { equal } from "node:assert/strict";
import {
  jsonWithoutCommands,
  withoutCommands,
} from "../../../../lib/base/text/display.ts";

const COMMANDS: readonly (readonly [text: string, shown: string])[] = [
  ["::set-output name=a::b", "\\u{3a}:set-output name=a::b"],
  ["a\n  \t::error::b\n", "a\n  \t\\u{3a}:error::b\n"],
  ["a\r::x\r\n::y", "a\r\\u{3a}:x\r\n\\u{3a}:y"],
  ["\u00a0\u3000\u0085::x", "\u00a0\u3000\u0085\\u{3a}:x"],
  ["a\u2028::x", "a\u2028\\u{3a}:x"],
  ["a ##[set-env name=A]b", "a #\\u{23}[set-env name=A]b"],
  ["###[group]", "##\\u{23}[group]"],
  ["##vso[task.setvariable]", "#\\u{23}vso[task.setvariable]"],
  ["##teamcity[buildStop]", "#\\u{23}teamcity[buildStop]"],
];

for (const [text, shown] of COMMANDS) {
  Deno.test(`withoutCommands shows ${JSON.stringify(text)} and obeys it not`, () => {
    equal(withoutCommands(text), shown);
    equal(withoutCommands(shown), shown);
  });
}

Deno.test("withoutCommands leaves what is no command", () => {
  const text = "a::b\n : :x\n## [x] #[x] ## Title\n[::1]:8080\nstd::string";
  equal(withoutCommands(text), text);
});

Deno.test("jsonWithoutCommands says the same in other letters", () => {
  const value = { "##[a]": ["::x ##[add-mask]y", "###[b"] };
  const json = jsonWithoutCommands(JSON.stringify(value, null, 2));
  equal(json.includes("##["), false);
  equal(JSON.stringify(JSON.parse(json)), JSON.stringify(value));
});
