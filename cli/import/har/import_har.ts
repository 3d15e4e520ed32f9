import { assemble } from "../draft/assemble.ts";
import type { Draft, DraftOptions } from "../draft/draft.ts";
import { EnvNames } from "../draft/credentials.ts";
import { StepIds } from "../draft/names.ts";
import { writeStep } from "../draft/step_writer.ts";
import { clientData } from "./client_data.ts";
import { correlate, type Linked } from "./correlate.ts";
import type { Exchange } from "./har_file.ts";
import { journeyOf } from "./journey.ts";
import { SecondRecording } from "./second_recording.ts";
import { withTemplates } from "./slots.ts";

/** Options of an import. */
interface HarOptions extends DraftOptions {
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
  // Templates of a fixture are put in below: ids are given by path alone.
  const named = writtenSteps(linked, env);
  const idOf = (index: number) => named[index]!.step.id;
  const data = second && clientData(linked, second, idOf);
  const written = data?.fixture ? writtenSteps(linked, env) : named;
  const steps = written.map(({ step, origin }, index) => {
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
      ...unsaidNotes(linked, idOf),
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

function writtenSteps(linked: readonly Linked[], env: EnvNames) {
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
