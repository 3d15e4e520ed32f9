import { compileFlow } from "../../../../lib/compile.ts";
import type { Flow } from "../../../../lib/language/ir.ts";
import {
  envExample,
  targetYaml,
} from "../../../../cli/import/draft/companion_files.ts";
import type { Draft } from "../../../../cli/import/draft/draft.ts";
import { flowYaml } from "../../../../cli/import/draft/flow_yaml.ts";
import { yamlInput } from "../../../support/run_in_process.ts";

/** The flow of a draft as its file says it, once it has been found correct. */
export async function compiled(draft: Draft): Promise<Flow> {
  const { flow } = await compileFlow(
    yamlInput("flow.yaml", flowYaml(draft)),
  );
  return flow;
}

/** Everything that would be written, in one text. */
export function allText(draft: Draft): string {
  return [flowYaml(draft), targetYaml(draft), envExample(draft.env)].join("\n");
}
