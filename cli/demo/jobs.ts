import { jsonResponse, readObject, refuse } from "./json_response.ts";
import { BoundedMap } from "./bounded_map.ts";
import type { Routes } from "./route.ts";

/** Work that is done after it was asked about a number of times. */
export class Jobs {
  /** Questions left until a job is done. */
  readonly #left = new BoundedMap<number>(10_000);
  #last = 0;

  /** @returns the id of a job that is pending for `polls` questions */
  add(polls: number): string {
    const id = `job-${++this.#last}`;
    this.#left.set(id, polls);
    return id;
  }

  /** Asks about a job; undefined when there is none. */
  ask(id: string): "pending" | "done" | undefined {
    const left = this.#left.get(id);
    if (left === undefined) return undefined;
    if (left === 0) return "done";
    this.#left.set(id, left - 1);
    return "pending";
  }
}

/** A queue: `POST /jobs` takes `{"polls": n}`, 2 by default. */
export function jobRoutes(jobs: Jobs): Routes {
  return {
    "POST /jobs": async ({ request }) => {
      const { polls = 2 } = await readObject(request) ?? {};
      if (!Number.isInteger(polls) || Number(polls) < 0) {
        return refuse(422, "`polls` must be a whole number of at least 0");
      }
      const id = jobs.add(Number(polls));
      return jsonResponse(202, { id, status: "pending" }, {
        location: `/jobs/${id}`,
      });
    },
    "GET /jobs/*": ({ rest }) => {
      const status = jobs.ask(rest);
      return status
        ? jsonResponse(200, { id: rest, status })
        : refuse(404, `there is no job \`${rest}\``);
    },
  };
}
