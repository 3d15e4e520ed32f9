import { join } from "../../lib/base/values/paths.ts";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import {
  flowFileSchema,
  targetSchema,
} from "../../lib/language/editor/file_language.ts";
import { shellWord } from "../../lib/base/text/display.ts";
import { registry } from "../../lib/steps/registry.ts";
import type { Console } from "../terminal/console.ts";
import { isThere, writeNewFile } from "./new_files.ts";

/** The schema that completes keys in the files below, relative to their folder. */
export const FLOW_SCHEMA = ".bench/flow.schema.json";
export const TARGET_SCHEMA = ".bench/target.schema.json";

const FLOW = `# yaml-language-server: $schema=${FLOW_SCHEMA}
#
# A first flow, against the demo target. In another terminal, and left running:
#
#   bench demo --serve
#
# then here:
#
#   bench validate first.bench.yaml --target demo    every error, nothing sent
#   bench run first.bench.yaml --target demo

flow: first

# This is version 0 of the flow file. With this line it may say more: forms, uploads
# and cookies, what pages and headers hold, and values that are drawn for each iteration.
#
#   version: 1
#   values: { order: uuid, quantity: { int: 1..9 } }

# How the flow is run: \`integration\` runs it once for every row of the fixture.
profile:
  mode: integration
  vus: 3                        # rows at a time
  thresholds:                   # what the run is judged by
    - error_rate <= 0
    - p95(latency) < 1s

# One row a customer; columns are read as {{ user.<column> }}.
data: data/users.csv

# What every request sends, unless the step has an \`auth\` of its own.
auth: { scheme: bearer, token: "{{ token }}" }

steps:
  - id: login
    call: POST /login           # the target's first base URL goes in front
    auth: { scheme: none }      # there is no token yet
    body:                       # any YAML value; it is sent as JSON
      user: "{{ user.name }}"
      password: "{{ user.password }}"
    extract:                    # variables for the steps below
      token: $.token
    assert:
      - status == 200
      - latency < 1s

  - id: search
    call: GET /products
    query: { q: "{{ user.wants }}" }
    extract:
      product: $.items[0].id
    assert:
      - $.count >= 1
      - $.items[0].price > 0

  - id: order
    call: POST /orders
    body:
      product: "{{ product }}"  # a template alone keeps its type: a number
      quantity: 2
    assert:
      - status == 201           # without one, a status of 400 or more fails
      - $.quantity == 2
`;

const TARGET = `# yaml-language-server: $schema=../${TARGET_SCHEMA}
#
# Where a run may go: the host of each URL, and no other. Credentials never
# belong here; flows take them from the environment, as {{ env.NAME }}.

name: demo

base_urls:
  - http://127.0.0.1:7800

# Ceilings. A run that plans more is refused before its first request.
max_vus: 100
max_rps: 5000
request_timeout: 10s
disallowed_modes: [soak]
`;

const FIXTURE = `name,password,wants
ada,analytical-engine,cards
grace,nanosecond-wire,wire
katherine,orbit-go,rule
`;

/** The files that \`bench init\` writes, by path; it never overwrites any. */
export const INIT_FILES: Readonly<Record<string, string>> = {
  "first.bench.yaml": FLOW,
  "targets/demo.yaml": TARGET,
  "data/users.csv": FIXTURE,
};

/**
 * Writes a first flow with its target and fixture, and the schemas that let an
 * editor complete them. Files that are there are left alone, all of them or
 * none. Returns the exit code.
 */
export async function initCommand(
  directory: string,
  _: unknown,
  console: Console,
): Promise<number> {
  const taken = Object.keys(INIT_FILES).map((path) => join(directory, path))
    .filter(isThere);
  if (taken.length > 0) {
    throw new Refused(
      `there already: ${taken.join(", ")}; nothing was written over`,
      "give it another folder: bench init <dir>",
    );
  }
  for (const [path, text] of Object.entries(INIT_FILES)) {
    await writeNewFile(directory, path, text);
    console.print(`${join(directory, path)}\n`);
  }
  // Made by this version and for it: replacing them loses nothing.
  const schemas = {
    [FLOW_SCHEMA]: flowFileSchema(registry),
    [TARGET_SCHEMA]: targetSchema(),
  };
  for (const [path, schema] of Object.entries(schemas)) {
    await writeNewFile(directory, path, `${JSON.stringify(schema)}\n`, true);
  }
  console.err(nextSteps(directory));
  return 0;
}

function nextSteps(directory: string): string {
  const inside = directory === "." ? "" : `  cd ${shellWord(directory)}\n`;
  return "\nNext, with the demo target running in another terminal (bench demo --serve):\n" +
    `${inside}  bench run first.bench.yaml --target demo\n`;
}
