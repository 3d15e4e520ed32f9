import type { JsonObject, JsonValue } from "../../../lib/base/values/json.ts";
import type { Draft, DraftStep } from "./draft.ts";

/** The first lines of a flow: where it is from, and what a reader should know. */
export function writtenAs({ origin, notes }: Draft): string {
  const lines = [
    `Made by \`bench import ${origin}\`.`,
    ...notes.length > 0 ? ["", "What to know:"] : [],
    ...notes.map((each) => `- ${each}`),
  ];
  return lines.map((each) => each === "" ? "#" : `# ${each}`).join("\n") +
    "\n";
}

/** Where a flow's rows are, beside it. */
export const fixturePath = (name: string): string => `data/${name}.csv`;

/** The keys of a flow file as plain data, in the order in which people write them. */
export function flowDocument(draft: Draft): JsonObject {
  const { name, load, auth, fixture, steps } = draft;
  return present({
    flow: name,
    profile: load && {
      mode: "load",
      vus: load.vus,
      hold: load.hold,
      thresholds: ["error_rate < 1%"],
    },
    data: fixture && fixturePath(name),
    auth,
    steps: steps.map(stepDocument),
  });
}

/** The keys of one step, likewise. */
export function stepDocument(step: DraftStep): JsonObject {
  const { id, call, graphql, headers, query, body, extract, assert, auth } =
    step;
  return present({
    id,
    call,
    graphql,
    auth,
    headers: filled(headers),
    query: filled(query),
    body,
    extract: filled(extract),
    assert: assert?.length ? assert : undefined,
    on_failure: step.onFailure,
  });
}

function filled<T extends object>(map: T | undefined): T | undefined {
  return map && Object.keys(map).length > 0 ? map : undefined;
}

function present(
  fields: Readonly<Record<string, JsonValue | object | undefined>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as JsonObject;
}
