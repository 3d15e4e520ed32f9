import { type InputFile, prepareRun } from "../../lib/compile.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Draft } from "./draft/draft.ts";
import { dataFiles } from "./draft/flow_document.ts";
import { flowYaml } from "./draft/flow_yaml.ts";
import { join } from "../../lib/base/values/paths.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { startRun } from "../run/start_run.ts";

/**
 * The file of a draft, as it is written: an error has the line that it has there.
 *
 * @param directory where its files are
 */
export function draftInput(draft: Draft, directory: string): InputFile {
  return {
    file: join(directory, `${draft.name}.bench.yaml`),
    directory,
    form: "yaml",
    bytes: new TextEncoder().encode(flowYaml(draft)),
    // One iteration, whatever load is written into it.
    ...(draft.load && {
      mode: { value: "integration" },
      load: { vus: { value: 1 } },
    }),
  };
}

/** The result of a flow that is not written yet. */
interface Replay {
  readonly meta: RunMeta;
  readonly sources: ReadonlyMap<string, string>;
}

/** Of a pause, whose step keeps its lines. */
const SHORTEST_WAIT = "1ms";

/**
 * Runs a flow once, without its pauses. What its credentials were when it was recorded stands for
 * variables that are not set, and for cells that are not filled in; nothing is stored.
 */
export async function replay(
  draft: Draft,
  recorded: ReadonlyMap<string, string>,
  target: InputFile,
  directory = ".",
): Promise<Replay> {
  const { fixture } = draft;
  const steps = draft.steps.map((step) =>
    step.wait === undefined ? step : { ...step, wait: SHORTEST_WAIT }
  );
  const rows = fixture?.recorded;
  const data = dataFiles(
    fixture && rows ? { ...draft, fixture: { ...fixture, rows } } : draft,
  );
  const prepared = await prepareRun(
    draftInput({ ...draft, steps }, directory),
    target,
    {
      env: (name) => systemEnvironment.env(name) ?? recorded.get(name),
      readBytes: (path, most) => {
        const own = data.find((each) => path.endsWith(each.path));
        return own
          ? new TextEncoder().encode(own.text)
          : systemEnvironment.readBytes(path, most);
      },
    },
  );
  const { meta } = await startRun(prepared, {
    ...{ seed: 1, http: "auto", notes: [], workers: 1 },
    tls: { caCerts: [], insecure: false },
  });
  return { meta, sources: prepared.sources };
}
