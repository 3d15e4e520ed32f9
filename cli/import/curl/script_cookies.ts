import type { CurlRequests } from "./curl_request.ts";

/** The cookies of a script: a flow keeps them where a request sends those that one before it was given. */
export class ScriptCookies {
  /** Whether a request sends cookies that a response set. */
  areSent = false;
  readonly #jars = new Set<string>();
  /** Lines of the commands that send none of the cookies that are kept. */
  readonly #without = new Set<number>();

  /** Takes the requests that follow; returns notes on them. */
  add(
    { requests, jar, cookieFiles, sendsCookies }: CurlRequests,
    line: number,
  ): string[] {
    const reads = cookieFiles.some((each) => this.#jars.has(each));
    if (!reads && this.#jars.size > 0) this.#without.add(line);
    if (reads || sendsCookies && requests.length > 1) this.areSent = true;
    if (jar !== undefined) this.#jars.add(jar);
    return cookieFiles.every((each) => this.#jars.has(each))
      ? []
      : ["`-b <file>`: cookie files are not read"];
  }

  /** Notes on all requests together. */
  notes(): string[] {
    return this.areSent
      ? [...this.#without].map((line) =>
        `line ${line}: cookies of earlier responses are sent, which curl does not: a flow keeps them for all of its steps`
      )
      : [];
  }
}
