import { assemble } from "../draft/assemble.ts";
import type { Draft, DraftLoad } from "../draft/draft.ts";
import { EnvNames } from "../draft/env_names.ts";
import { StepIds } from "../draft/step_ids.ts";
import { writeStep } from "../draft/step_writer.ts";
import { clientData } from "./client_data.ts";
import { correlate, type Linked } from "./correlate.ts";
import type { Exchange } from "./har_file.ts";
import { journeyOf } from "./journey.ts";
import { SecondRecording } from "./second_recording.ts";
import { withTemplates } from "./slots.ts";

/** Options of an import. */
interface HarOptions {
  readonly name?: string;
  readonly load?: DraftLoad;
  /** Whether the flow can take cookies and header fields: not in YAML. */
  readonly anySource: boolean;
}

/** A flow, and what its credentials were when it was recorded. */
interface ImportedHar {
  readonly draft: Draft;
  readonly recorded: ReadonlyMap<string, string>;
}

/**
 * A flow of one recorded journey: what an earlier response gave is extracted,
 * credentials are variables, and with a second recording what differs and came
 * from nowhere is data.
 */
export function importHar(
  recording: readonly Exchange[],
  again: readonly Exchange[] | undefined,
  { anySource, ...options }: HarOptions,
): ImportedHar {
  const { exchanges, leftOut } = journeyOf(recording);
  const second = again &&
    new SecondRecording(exchanges, journeyOf(again).exchanges);
  const linked = correlate(exchanges, {
    anySource,
    agrees: (index, slot, source) =>
      second?.agrees(index, slot, source) ?? true,
  });
  const env = new EnvNames();
  const ids = new StepIds();
  // Templates of a fixture are put in below: ids are given by path alone.
  const written = linked.map((each) =>
    writeStep(withTemplates(each.exchange, each.templates), env, ids)
  );
  const data = second &&
    clientData(linked, second, (index) => written[index]!.step.id);
  const again_ = data?.fixture === undefined ? written : rewritten(linked, env);
  const steps = again_.map(({ step, origin }, index) => {
    const { extract, exchange } = linked[index]!;
    return {
      origin,
      step: {
        ...step,
        extract,
        assert: [
          `status == ${exchange.status === 304 ? 200 : exchange.status}`,
        ],
      },
    };
  });
  const draft = assemble(steps, {
    origin: "har",
    env: env.variables,
    notes: [
      ...leftOut,
      ...unsaidNotes(linked, (index) => written[index]!.step.id),
      ...(data?.notes ?? []),
      ...second && second.surplus > 0
        ? [`requests of the second recording alone: ${second.surplus}`]
        : [],
    ],
    ...(data?.fixture && { fixture: data.fixture }),
    ...options,
  });
  return {
    draft,
    recorded: new Map(env.values.map(([value, name]) => [name, value])),
  };
}

function rewritten(linked: readonly Linked[], env: EnvNames) {
  const ids = new StepIds();
  return linked.map((each) =>
    writeStep(withTemplates(each.exchange, each.templates), env, ids)
  );
}

/** Once a source: what a flow file cannot take from a response. */
function unsaidNotes(
  linked: readonly Linked[],
  idOf: (index: number) => string,
): string[] {
  const notes = new Set<string>();
  for (const { unsaid } of linked) {
    for (const { source } of unsaid) {
      notes.add(
        `${source.kind} ${source.key} comes from the response of \`${
          idOf(source.exchange)
        }\`, which a flow file cannot say: \`--as python\` writes it`,
      );
    }
  }
  return [...notes];
}
