import type { Listed } from "../store/shelf.ts";
import type { OpenRun } from "../store/open_run.ts";
import { bytesText } from "./figures.tsx";
import { Trouble } from "./layout.tsx";
import type { PageAnswer } from "./visit.ts";

/** Nothing is there, or it must not be read. */
export function problemPage(
  status: number,
  title: string,
  message: string,
): PageAnswer {
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
export async function brokenRunPage(
  { id, problem }: Listed,
  run: OpenRun,
): Promise<PageAnswer> {
  const files = await run.files();
  return {
    title: `Unreadable run ${id}`,
    body: (
      <>
        <h1>{id}</h1>
        <Trouble problem={problem ?? ""} />
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
