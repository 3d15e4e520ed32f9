import { systemClock } from "../lib/time/clock.ts";
import { reportHtml } from "./report_html.ts";
import { Shelf } from "./store/shelf.ts";

/**
 * The report of one run of a store as HTML; undefined when there is no such run.
 *
 * @throws {StoreError} when the store cannot be read
 * @throws {Error} when the run is unreadable
 */
export async function reportOf(
  storeDir: string,
  id: string,
): Promise<string | undefined> {
  const shelf = new Shelf(storeDir.replace(/(?<=.)\/+$/, ""), systemClock);
  const listed = await shelf.find(id);
  if (!listed) return;
  if (!listed.meta) throw new Error(listed.problem);
  return await reportHtml(listed.meta, shelf.open(listed));
}
