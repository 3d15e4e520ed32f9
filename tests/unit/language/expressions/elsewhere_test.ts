import { equal, match, ok } from "node:assert/strict";
import { compileFlow } from "../../../../lib/compile.ts";
import { yamlInput } from "../../../support/run_in_process.ts";
import {
  elsewhere,
  offeredBy,
  type Place,
} from "../../../../lib/language/expressions/elsewhere.ts";
import { meantPath } from "../../../../lib/language/expressions/meant_path.ts";
import { parseAssertion } from "../../../../lib/language/expressions/assertion.ts";
import { parseTemplate } from "../../../../lib/language/expressions/template.ts";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { flowFields } from "../../../../lib/language/flow/flow.ts";
import { profile } from "../../../../lib/language/flow/profile.ts";
import { stepFields } from "../../../../lib/language/flow/step.ts";
import { target } from "../../../../lib/language/flow/target.ts";
import { poll } from "../../../../lib/steps/poll.ts";
import { registry } from "../../../../lib/steps/registry.ts";

const KEYS: Readonly<Record<string, readonly string[]>> = {
  flow: Object.keys(flowFields(registry)),
  profile: Object.keys(profile.fields),
  step: Object.keys(stepFields(registry)),
  poll: Object.keys(poll.block.fields),
  stage: ["vus", "arrival", "over"],
  retry: ["on_status", "backoff", "max_attempts", "base_delay"],
  target: Object.keys(target.fields),
};

const WRITTEN: Readonly<Record<string, string>> = {
  flow:
    "name scenarios requests fixtures payload config stages duration vus headers vars variables env base_url baseUrl host beforeAll afterAll timeout insecure proxy followRedirects scripts description warm_up ensure phases think_time max_vus",
  profile:
    "duration users threads num_threads concurrency phases ramp_up rampTo rate rps arrivalRate loops requests checks slo executor think_time timeout max_rps maxDuration preAllocatedVUs startRate abortOnFail tags ramp_time",
  stage: "duration target users rps arrivalRate rampTo",
  step:
    "name get POST url method request json payload data formData files params qs queryParams queryString cookies capture captures save extractors expect check checks asserts tests status statusCode responseTime sleep pause think delay retries basicAuth bearer onError continueOnError if skip_if ifTrue loop repeat foreach script beforeRequest afterResponse followRedirect insecure proxy description tags weight desc log depends_on xml body_file regex output",
  poll: "every delay retries attempts while condition deadline",
  retry: "retries attempts statusCodes strategy delay maxDelay",
  target:
    "title url baseUrl host timeout connect_timeout responseTimeout rps vus insecure proxy headers",
};

Deno.test("elsewhere: a key of other tools leads to a key that is allowed there, or to the reason why there is none", () => {
  for (const [place, words] of Object.entries(WRITTEN)) {
    for (const word of words.split(" ")) {
      const hint = elsewhere(place as Place, word);
      ok(hint, `${place}: ${word}`);
      const offered = offeredBy(hint);
      ok(!offered || KEYS[place]!.includes(offered), `${word}: ${offered}`);
    }
  }
});

Deno.test("elsewhere: no key of a flow or target file is called a word of other tools", () => {
  for (const [place, keys] of Object.entries(KEYS)) {
    for (const key of keys) {
      // Other tools write a mapping there, and a flow file of version 1 one word.
      if (key === "capture") continue;
      equal(elsewhere(place as Place, key), undefined, `${place}: ${key}`);
    }
  }
});

Deno.test("elsewhere: what is offered in place of a subject, an operator, a template or a threshold can be read there", async () => {
  for (
    const word of [
      ...["status_code", "statusCode", "code", "response.status", "r.status"],
      ...["time", "responseTime", "duration", "res.timings.duration"],
      ...["headers.X-Id", "response.headers.X-Id", "content-type", "size"],
      ...["body", "body.id", "response.body.items[0].x-id", "res.json().id"],
    ]
  ) {
    const offered = offeredBy(elsewhere("subject", word));
    ok(offered, word);
    parseAssertion(`${offered} exists`);
  }
  for (
    const word of [
      ...["is", "equals", "eq", "=", "===", "!==", "ne", "gt", "lte", "=>"],
      ...["includes", "=~", "match", "isDefined", "doesNotExist"],
      ...["startsWith", "suffix", "oneOf", "notContains"],
    ]
  ) {
    const offered = offeredBy(elsewhere("operator", word))!;
    const value = /exists$/.test(offered)
      ? ""
      : /_with$/.test(offered)
      ? "a"
      : offered === "in"
      ? "[5]"
      : "5";
    parseAssertion(`$.a ${offered} ${offered === "matches" ? "a" : value}`);
  }
  for (
    const word of ["$env.X", "__ENV.X", "process.env.X", "vars.x", "row.a"]
  ) {
    const [, offered = ""] =
      /^did you mean (.*)\?$/.exec(elsewhere("template", word)!) ?? [];
    equal(parseTemplate(offered).length, 1, word);
  }
  for (
    const word of [
      ...["$guid", "$randomInt", "uuid()", "$timestamp", "now", "__ITER"],
      ...["$randomUUID", "$isoTimestamp", "$randomFloat", "__randomString(9)"],
    ]
  ) {
    const offered = /`(values: \{.*\})`$/.exec(
      elsewhere("template", word)!,
    )![1]!;
    const flow =
      `version: 1\nflow: f\n${offered}\nsteps: [{ id: a, call: GET / }]`;
    const read = await compileFlow(yamlInput("f", flow));
    equal(read.flow.values?.length, 1, word);
  }
  for (const word of ["$randomFirstName", "faker.name()", "md5(a)"]) {
    match(elsewhere("template", word) ?? "", /generate no values/, word);
  }
  for (const word of ["mean", "median", "http_req_duration", "errors"]) {
    const offered = offeredBy(elsewhere("threshold", word))!;
    parseThreshold(`${offered} < ${/rate/.test(offered) ? "1%" : "1s"}`);
  }
});

Deno.test("meantPath: parts of the body as other tools call them are paths", () => {
  const table = [
    ["id", "$.id"],
    ["body.id", "$.id"],
    ["response.json().items[0].x-id", "$.items[0]['x-id']"],
    ["items.0.name", "$.items[0].name"],
    ["body[0]", "$[0]"],
    ["items[*].id", "$.items[*].id"],
    ["a b", undefined],
  ] as const;
  for (const [name, path] of table) equal(meantPath(name), path, name);
});
