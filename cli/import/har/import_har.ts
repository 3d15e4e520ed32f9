import { assemble } from "../draft/assemble.ts";
import type { Draft, DraftOptions } from "../draft/draft.ts";
import { EnvNames } from "../draft/credentials.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { KnownValues } from "../draft/hidden_text.ts";
import { withPauses } from "../draft/pauses.ts";
import {
  writeStep,
  writeSteps,
  type WrittenStep,
} from "../draft/step_writer.ts";
import {
  clientData,
  generatedHeaders,
  SecondRecording,
} from "./second_recording.ts";
import { correlate, givenBefore, type Linked } from "./correlate.ts";
import { type Exchange, journeyOf, pausesOf } from "./recording.ts";
import { withTemplates } from "./exchange_values.ts";

interface HarOptions extends DraftOptions {
  /** Whether the pauses of the user are steps, as a load test needs them. */
  readonly keepsPauses?: boolean;
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
  { keepsPauses = false, ...options }: HarOptions,
): ImportedHar {
  const { exchanges, leftOut } = boundedJourney(recording);
  const second = again &&
    new SecondRecording(exchanges, boundedJourney(again).exchanges);
  const linked = correlate(exchanges, {
    agrees: (index, slot, source) =>
      second?.agrees(index, slot, source) ?? true,
    confirms: (index, slot, source) =>
      second?.confirms(index, slot, source) ?? false,
  });
  const env = new EnvNames();
  // Templates of a fixture are put in below: ids are given by path alone.
  const named = writtenSteps(linked, env);
  const idOf = (index: number) => named[index]!.step.id;
  const data = second &&
    clientData(linked, second, { idOf, known: secretsOf(env, second) });
  const written = data?.fixture ? writtenSteps(linked, env) : named;
  const steps = written.map(({ step, origin }, index) => {
    const { extract, exchange } = linked[index]!;
    return {
      origin,
      step: {
        ...step,
        extract,
        assert: statusChecks(exchange),
      },
    };
  });
  const draft = assemble(steps, {
    origin: "har",
    env: env.variables,
    notes: [
      ...leftOut,
      ...(data?.notes ?? generatedHeaders(linked, idOf)),
      ...silentNotes(exchanges),
      ...second ? pairingNotes(second, exchanges.length) : [],
    ],
    ...(data?.fixture && { fixture: data.fixture }),
    ...options,
  });
  return {
    draft: keepsPauses ? withPauses(draft, pausesOf(exchanges)) : draft,
    recorded: env.recorded,
  };
}

/** A copy that is not modified is one that the client had; a run has none. */
function statusChecks({ status }: Exchange): string[] {
  if (status === undefined) return [];
  return [`status == ${status === 304 ? 200 : status}`];
}

/** Steps of a flow. */
const MOST_STEPS = 1_000;

function boundedJourney(recording: readonly Exchange[]) {
  const journey = journeyOf(recording);
  const { length } = journey.exchanges;
  if (length === 0) {
    throw new Refused(
      "no request of the recording can be a step",
      journey.leftOut.join("; "),
    );
  }
  if (length <= MOST_STEPS) return journey;
  throw new Refused(
    `the journey has ${length} requests, but a flow has at most ${MOST_STEPS} steps`,
    "record a shorter one",
  );
}

function writtenSteps(linked: readonly Linked[], env: EnvNames): WrittenStep[] {
  return writeSteps(
    linked,
    env,
    ({ exchange, templates }, tools) =>
      writeStep(withTemplates(exchange, templates), tools),
    (index) => givenBefore(linked, index, ({ value }) => value),
  );
}

/** Credentials of both recordings. */
function secretsOf(env: EnvNames, second: SecondRecording): KnownValues {
  const other = new EnvNames();
  writeSteps(
    second.exchanges,
    other,
    (each, tools) => writeStep(withTemplates(each, new Map()), tools),
  );
  return new KnownValues([...env.secrets, ...other.secrets]);
}

function silentNotes(exchanges: readonly Exchange[]): string[] {
  const { length } = exchanges.filter(({ status }) => status === undefined);
  return length > 0
    ? [
      `the recording has no response for ${length} of the ${exchanges.length} requests: their steps assert nothing`,
    ]
    : [];
}

function pairingNotes(
  { surplus, missing }: SecondRecording,
  all: number,
): string[] {
  return [
    ...surplus > 0
      ? [`requests of the second recording alone: ${surplus}`]
      : [],
    ...missing > 0
      ? [
        `the second recording has ${
          all - missing
        } of the ${all} requests: what the others send was compared with nothing`,
      ]
      : [],
  ];
}
