import type { RunMeta } from "../../lib/model/result/run.ts";
import { sha256 } from "../../lib/base/values/sha256.ts";
import { spreadJson } from "../../lib/base/values/spread_json.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
  Verbatim,
} from "../markup/data_table.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { plural } from "../../lib/results/report/figures.ts";
import { bytesText } from "../model/words.ts";
import { Block, Facts, Unreadable } from "./parts.tsx";
import type { PageResponse, RunRequest } from "./page_request.ts";

/** The configuration of a run, and its files. */
export async function configPage(
  { meta, run }: RunRequest,
): Promise<PageResponse> {
  const flow = await run.flow();
  return {
    title: `Configuration of ${meta.flow}`,
    run: { id: meta.id, tab: "config", live: false },
    body: (
      <>
        <h1>Configuration</h1>
        <Block id="provenance" title="Provenance">{provenance(meta)}</Block>
        <Block id="files" title="Files">
          <p class="note">
            in <code>{run.dir}</code>
          </p>
          <DataTable
            columns={FILES}
            rows={run.files()}
            label="Files"
          />
        </Block>
        <Block id="flow" title="Flow, as it ran">
          {flow.error !== undefined
            ? <Unreadable error={flow.error} />
            : flow.value === undefined
            ? <p class="empty">There is no flow.json.</p>
            : (
              <>
                {await sha256(flow.value) === meta.ir_sha256
                  ? (
                    <p class="note">
                      The canonical form (flow.json); templates unresolved.
                    </p>
                  )
                  : (
                    <p class="warning">
                      <span aria-hidden="true">!</span>{" "}
                      flow.json is not what ran: it does not have the flow's
                      SHA-256.
                    </p>
                  )}
                {json("flow.json", flow.value)}
              </>
            )}
        </Block>
        <Block id="meta" title="meta.json">
          {json("meta.json", JSON.stringify(meta))}
        </Block>
      </>
    ),
  };
}

const FILES: readonly Column<ReturnType<RunDirectory["files"]>[number]>[] = [
  naming("file", ({ name }) => name),
  figure("size", ({ size }) => bytesText(size)),
];

/** Who ran what; a report file ends with it. */
export function provenance(meta: RunMeta): Markup {
  return (
    <Facts
      of={[
        ["run", meta.id],
        ["flow", meta.flow],
        ["flow file", meta.flow_file],
        ["flow's SHA-256", meta.ir_sha256],
        ["target", meta.target],
        ["mode", meta.mode],
        ["planned peak", plural(meta.vus, "VU")],
        ["seed", meta.seed],
        ["status", meta.status],
        ["exit code", meta.exit_code ?? "–"],
        ["started", meta.started_at],
        ["ended", meta.ended_at ?? "–"],
        ["bench", meta.bench_version],
      ]}
    />
  );
}

const LONGEST = 512 * 1024;

function json(name: string, text: string): Markup {
  // Text that is not JSON shows as it is stored.
  const { text: shown, whole } = spreadJson(text, LONGEST) ??
    { text: text.slice(0, LONGEST), whole: text.length <= LONGEST };
  return (
    <>
      <Verbatim label={name}>{shown}</Verbatim>
      {!whole && <p class="note">Cut: the file has {text.length} characters.
      </p>}
    </>
  );
}
