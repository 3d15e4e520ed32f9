import { objectsIn } from "../../../lib/base/values/json.ts";
import { assemble } from "../draft/assemble.ts";
import type { Draft, DraftOptions } from "../draft/draft.ts";
import { EnvNames } from "../draft/credentials.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { kebabCase, StepIds } from "../draft/names.ts";
import { writeSteps } from "../draft/step_writer.ts";
import { Examples } from "./examples.ts";
import type { OpenapiDocument } from "../../../lib/openapi/description.ts";
import {
  NO_HOST,
  type Operation,
  operationsOf,
  serverUrl,
} from "../../../lib/openapi/operations.ts";
import { operationStep } from "./operation_step.ts";

/** Options of an import. */
interface OpenapiOptions extends DraftOptions {
  /** The one tag to take. */
  readonly tag?: string;
}

/** Flows of one file. */
const MOST_FLOWS = 1_000;
/** Steps a flow may have. */
const MOST_STEPS = 1_000;

/**
 * A flow a tag, a step an operation; all of them share one target.
 *
 * @throws {Refused} when there are no operations, or none of the tag
 */
export function importOpenapi(
  document: OpenapiDocument,
  { name, load, tag }: OpenapiOptions,
): Draft[] {
  const { root, resolve } = document;
  const title = slug(String(resolve(root["info"])["title"] ?? "")) || "api";
  const target = name ?? title;
  const all = Map.groupBy(operationsOf(document), (each) => each.tag ?? title);
  if (all.size === 0) {
    const [why] = danglingNotes(document);
    throw new Refused("the file describes no operation", why);
  }
  const chosen = tag === undefined
    ? [...all]
    : [...all].filter(([each]) => each === tag);
  if (chosen.length === 0) {
    throw new Refused(
      `there is no tag "${tag}"`,
      `tags are: ${[...all.keys()].slice(0, 50).join(", ")}`,
    );
  }
  if (chosen.length > MOST_FLOWS) {
    throw new Refused(
      `the file has ${chosen.length} tags, but at most ${MOST_FLOWS} flows are made at once`,
      "take one with --tag <tag>",
    );
  }
  const server = serverUrl(objectsIn(root["servers"])[0]);
  const examples = new Examples(document);
  const names = new StepIds();
  const drafts = chosen.map(([each, operations]) => {
    const env = new EnvNames();
    const written = writeSteps(
      operations.slice(0, MOST_STEPS),
      env,
      (operation, tools) =>
        operationStep(operation, {
          ...tools,
          document,
          examples,
          baseUrl: operation.server ? serverUrl(operation.server) : server,
        }),
    );
    return assemble(written, {
      base: server,
      name: names.unique(chosen.length === 1 ? name ?? slug(each) : slug(each)),
      target,
      origin: "openapi",
      env: env.variables,
      notes: notesOf(server, operations),
      ...(load && { load }),
    });
  });
  const lost = danglingNotes(document);
  return drafts.map((each) => ({ ...each, notes: [...each.notes, ...lost] }));
}

/** Places of one reference that are named. */
const MOST_PLACES = 3;

function danglingNotes(document: OpenapiDocument): string[] {
  return [...Map.groupBy(document.dangling(), ([reference]) => reference)]
    .map(([reference, all]) => {
      const places = all.slice(0, MOST_PLACES).map(([, place]) => place);
      const more = all.length - places.length;
      return `left out: the reference \`${reference}\` leads nowhere, at ${
        places.join(", ")
      }${more > 0 ? ` and ${more} more` : ""}`;
    });
}

function notesOf(server: string, operations: readonly Operation[]): string[] {
  const { length } = operations;
  return [
    ...server.startsWith(NO_HOST)
      ? [
        `the file names no host: write it into the target, in place of ${NO_HOST}`,
      ]
      : [],
    ...length > MOST_STEPS
      ? [`left out: ${length - MOST_STEPS} operations beyond ${MOST_STEPS}`]
      : [],
  ];
}

/** A name in letters, digits, `_` and `-`. */
function slug(text: string): string {
  const plain = kebabCase(text, 50);
  return plain === "" || /^[a-z_]/.test(plain) ? plain : `on-${plain}`;
}
