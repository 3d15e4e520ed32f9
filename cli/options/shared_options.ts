import { HTTP_CHOICES } from "../../lib/model/result/response.ts";
import { CONTRACT_MODES } from "../../lib/model/result/contract.ts";
import { MOST_VUS } from "../../lib/model/course.ts";
import { MODES } from "../../lib/model/mode.ts";
import { mustBe } from "./command.ts";
import {
  duration,
  type FlagsOf,
  grouped,
  integer,
  own,
  text,
  texts,
  toggle,
  whole,
  words,
} from "./option.ts";

/* Options that several commands take. */

/** Where the variables come from that credentials are taken from. */
export const ENV_FILE = {
  env_file: text("file", "set the variables of this file", {
    more:
      "lines of `NAME=value`, a value with `#` in quotes, as in the `.env.example` that `import` writes; what the environment already has is kept",
  }),
};

export const TARGET = {
  target: text("name|file", "target file, by name or path", { needed: true }),
  ...ENV_FILE,
};

export const MODE = {
  mode: words(MODES)("mode", "in place of the profile's mode"),
};

/** Load in place of the profile's. */
export const LOAD = grouped("Load", {
  vus: whole(1, MOST_VUS)("n", "virtual users, in place of the profile's", {
    conflicts: ["ramp"],
    more: "`--mode load` makes a load test of any flow",
  }),
  ramp: text("ramp", 'virtual users over time, such as "1 -> 50 over 30s"'),
  hold: duration("1ms")("duration", "how long the load is held"),
  iterations: whole(1, 2 ** 53 - 1)("n", "iterations in all"),
  rate: text("rate", "requests offered in an open loop, such as 100/s", {
    more: "in place of `arrival_cap`; as many users carry them as `vus` says",
  }),
});

export const STORE = {
  store: text("dir", "run store (default $BENCH_STORE or .bench/runs)"),
};

/** Which stored runs are listed. */
export const LISTED = {
  ...STORE,
  flow: text("flow name", "only runs of the flow of this name", {
    param: "flow_name",
  }),
  tag: text("tag", "only runs of flows with this tag"),
  most: whole(1, 1e6)("n", "so many of them", { fallback: "20" }),
};

export const SEED = {
  seed: integer("integer", "seed of everything random", {
    fallback: "1",
    more: "rows drawn, traces sampled, random arrivals",
  }),
};

/** Certificates and keys. */
const TLS = {
  cacert: text("file", "PEM file of a certificate authority to trust", {
    more: "or of a self-signed server; besides those of the system",
  }),
  cert: text("file", "PEM file of a client certificate (with --key)"),
  key: text("file", "PEM file of the client certificate's key"),
  insecure: toggle("do not verify certificates", {
    more: "this is warned about, and noted in the run",
  }),
};

/** Where connections go. */
const ROUTE = {
  resolve: texts(
    "host:port:address",
    "connect there instead of looking the host up; may be repeated",
    {
      more:
        "several addresses are separated by commas; name, `Host` and certificate stay those of the host",
    },
  ),
  proxy: text("url", "tunnel every connection through an HTTP proxy", {
    more:
      "with `CONNECT`, at `http://[user:password@]host:port`; the allow-list is asked first, and variables such as `HTTPS_PROXY` are not read",
  }),
};

/** How connections are made. */
export const CONNECTION = { ...ROUTE, ...TLS };

export const HTTP = {
  http: words(HTTP_CHOICES)(
    "version",
    "HTTP version; auto lets the server choose over TLS",
    {
      fallback: "auto",
      more:
        "of `call`, `poll` and `graphql` steps; clear text is HTTP/1.1 unless `2` is asked for",
    },
  ),
};

/** The description that responses are held against. */
export const CONTRACT = grouped("Contract", {
  openapi: text(
    "file",
    "hold every response against this OpenAPI description",
    {
      more:
        "2.0 or 3.0 to 3.2; status, media type and body, in load modes of a sample ([contract.md](contract.md))",
    },
  ),
  contract: words(CONTRACT_MODES)(
    "effect",
    "whether a response that is not as described fails its step",
    { fallback: "fail" },
  ),
});

export const THRESHOLD = {
  threshold: texts(
    "threshold",
    'one more threshold, such as "login: p95(latency) < 200ms"; may be repeated',
    {
      more: "with `login:` it is of the step `login` alone",
      param: "thresholds",
    },
  ),
};

export const QUIET = { quiet: toggle("no progress", { short: "-q" }) };

/** How an earlier report begins; a report is written over nothing else. */
const JUNIT_HEAD = /^<\?xml/;
const MARKDOWN_HEAD = /^## (?:✅|❌|⚠️|➖|❔)/;

/** The file of a report: a new one, an earlier report, or no file of a disk, such as a pipe. */
function report(head: RegExp) {
  return own((path) => {
    if (path !== "" && !mayBeReport(path, head)) {
      throw mustBe("a new file or an earlier report", path);
    }
    return path;
  });
}

function mayBeReport(path: string, head: RegExp): boolean {
  if (/[/\\]$/.test(path)) return false;
  try {
    const { isFile, isDirectory, size } = Deno.statSync(path);
    if (isDirectory) return false;
    if (!isFile || size === 0) return true;
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(16);
    return head.test(
      new TextDecoder().decode(bytes.subarray(0, file.readSync(bytes) ?? 0)),
    );
  } catch {
    // What cannot be read cannot be written either, which is said then.
    return true;
  }
}

/** Files about a result. */
export const REPORTS = {
  junit: report(JUNIT_HEAD)("file", "also write the result as JUnit XML", {
    writes: true,
    more:
      "a test case per row in integration and system modes and per threshold that did not hold, per threshold in the others, and per step of `setup` and `teardown`",
  }),
  report_md: report(MARKDOWN_HEAD)(
    "file",
    "also write the result as Markdown",
    {
      writes: true,
      more:
        "with `GITHUB_STEP_SUMMARY` in the environment it is appended to that file too",
    },
  ),
};
export type ReportFlags = FlagsOf<typeof REPORTS>;

export const JSON_RESULT = { json: toggle("print the result as JSON") };

export const DIAGNOSTICS = {
  diagnostics: words(["text", "json"])("form", "how diagnostics are printed", {
    fallback: "text",
  }),
};
