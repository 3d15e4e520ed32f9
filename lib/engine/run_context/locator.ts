import type { PreparedRun } from "../preflight/prepared_run.ts";
import type { Locate } from "../../results/report/counted.ts";
import { locationOf } from "../../base/text/location.ts";

/** Run-time failures point into the flow file. */
export function locator(
  { locations }: Pick<PreparedRun, "locations">,
): Locate {
  return (pointer: string) => {
    const at = locationOf(locations, pointer);
    if (!at?.range) return;
    const { file, range: { line, column } } = at;
    return { file, line, column };
  };
}
