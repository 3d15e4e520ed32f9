import type { Listed } from "../model/run_list.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { bytesText } from "../model/words.ts";
import { Unreadable } from "./parts.tsx";
import type { PageResponse } from "./page_request.ts";

/** Nothing is there, or it must not be read. */
export function errorPage(
  status: number,
  title: string,
  message: string,
): PageResponse {
  return {
    status,
    title,
    body: (
      <>
        <h1>{title}</h1>
        <p>{message}</p>
        <p>
          <a href="/">All runs</a>
        </p>
      </>
    ),
  };
}

/** A run whose `meta.json` cannot be read, with what is there. */
export function brokenRunPage(
  { id, error = "", incomplete }: Listed,
  run: RunDirectory,
): PageResponse {
  const files = run.files();
  return {
    title: `${incomplete ? "Incomplete" : "Unreadable"} run ${id}`,
    body: (
      <>
        <h1>{id}</h1>
        {incomplete
          ? (
            <p class="warning">
              <strong>Incomplete.</strong> The run has no{" "}
              <code>meta.json</code>: it ended before its first request, or not
              all of its directory was copied.
            </p>
          )
          : <Unreadable error={error} />}
        {files.length === 0
          ? <p class="empty">The directory has no file of a run.</p>
          : (
            <>
              <p>What is there:</p>
              <ul>
                {files.map(({ name, size }) => (
                  <li>
                    <code>{name}</code> {bytesText(size)}
                  </li>
                ))}
              </ul>
            </>
          )}
        <p>
          <a href="/">All runs</a>
        </p>
      </>
    ),
  };
}
