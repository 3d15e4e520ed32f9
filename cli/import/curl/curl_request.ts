import { ifPossible } from "../../../lib/base/values/if_possible.ts";
import { headerValue } from "../../../lib/base/values/headers.ts";
import { basename } from "../../../lib/base/values/paths.ts";
import {
  bodyOf,
  hasLeaf,
  type HttpRequest,
  isFilePath,
  type RequestBody,
} from "../draft/http_request.ts";
import { changeLiterals, hasTemplate } from "../draft/template_text.ts";
import type { CurlTransfer, GivenOption } from "./curl_arguments.ts";
import type { ShellInput } from "./command_output.ts";
import {
  curlData,
  type CurlFiles,
  encode,
  namedFile,
  read,
  urlEncoded,
} from "./curl_data.ts";
import { formOf } from "./curl_form.ts";
import { wholeUrl } from "./curl_url.ts";

/** The requests of one transfer of curl. */
export interface CurlRequests {
  readonly requests: readonly HttpRequest[];
  /** Options that a flow does not have, and what does the same. */
  readonly notes: readonly string[];
  /** The file that cookies of its responses are written into, for later transfers. */
  readonly jar: string | undefined;
  /** Files that its cookies are read from. */
  readonly cookieFiles: readonly string[];
  /** Whether later ones of its requests send the cookies that earlier ones were given. */
  readonly sendsCookies: boolean;
  /** Seconds, of `--max-time`. */
  readonly timeout?: number;
}

/** One request a URL, with the options of the transfer. */
export function curlRequests(
  { options, urls }: CurlTransfer,
  files: CurlFiles,
): CurlRequests {
  const given = new Map(options.map((each) => [each.option.long, each.value]));
  const asQuery = given.has("get");
  const file = asQuery ? undefined : bodyFile(options, files);
  const data = file ? undefined : curlData(options, files);
  const lines = headerLines(options, files);
  const headers = curlHeaders({ options, given, lines });
  const type = headerValue(headers, "content-type");
  const body = given.has("form") || given.has("form-string")
    ? formOf(options, files.readText)
    : file ??
      (data === undefined || asQuery
        ? undefined
        : exactBody(data, type, files));
  const sendsData = body !== undefined || (data !== undefined && !asQuery);
  const added = addedQuery(options, asQuery ? data : undefined, files);
  const uploads = options.filter(({ option }) => option.long === "upload-file")
    .map(({ value }) => namedFile(value, files));
  const timeout = Number(given.get("max-time"));
  return {
    requests: urls.map((url, index) => {
      const upload = uploads[index];
      const own = upload === undefined ? body : uploaded(upload, files.input);
      const method = given.get("request") ??
        (given.has("head")
          ? "HEAD"
          : upload !== undefined
          ? "PUT"
          : sendsData
          ? "POST"
          : "GET");
      // Data is a form where nothing else is said; of a file nothing is said.
      const said = upload !== undefined ? "" : sendsData ? FORM : undefined;
      return {
        method: changeLiterals(method, (each) => each.toUpperCase()),
        url: wholeUrl(uploadUrl(url, own), added, given),
        headers: type === undefined && said !== undefined
          ? [...headers, ["Content-Type", said]]
          : headers,
        ...(own && { body: own }),
      };
    }),
    notes: notesOf(options, given, lines),
    ...cookiesOf(options, given),
    ...(timeout > 0 && { timeout }),
  };
}

/** The body of data. In JSON a template alone would be the number that a variable may be. */
function exactBody(
  data: string,
  type: string | undefined,
  { mayBeNumber }: CurlFiles,
): RequestBody | undefined {
  const body = bodyOf(data, type);
  return body && "json" in body && hasLeaf(body.json, mayBeNumber)
    ? { text: data }
    : body;
}

/** Where the cookies of a transfer come from, and go to. */
function cookiesOf(
  options: readonly GivenOption[],
  given: ReadonlyMap<string, string>,
) {
  const jar = given.get("cookie-jar");
  const files = options.filter(({ option, value }) =>
    option.long === "cookie" && !value.includes("=")
  ).map(({ value }) => value);
  return {
    jar,
    cookieFiles: files.filter((each) => each !== ""),
    sendsCookies: jar !== undefined || files.length > 0,
  };
}

const FORM = "application/x-www-form-urlencoded";

/** The parameters that options add to a query. */
function addedQuery(
  options: readonly GivenOption[],
  data: string | undefined,
  files: CurlFiles,
): string[] {
  const own = options.filter(({ option }) => option.long === "url-query")
    // What follows a plus is encoded already.
    .map(({ value }) =>
      value.startsWith("+") ? value.slice(1) : urlEncoded(value, files)
    );
  return data === undefined ? own : [data, ...own];
}

/** The URL of a request: one that ends with `/` takes the name of the file that is sent. */
function uploadUrl(url: string, body: RequestBody | undefined): string {
  return body && "file" in body && /^[^?#]*\/$/.test(url)
    ? url + encode(basename(body.file))
    : url;
}

/** The header fields of a transfer as they are written, those of `-H @file` too. */
function headerLines(
  options: readonly GivenOption[],
  files: CurlFiles,
): string[] {
  return options.filter(({ option }) => option.long === "header")
    .flatMap(({ value }) =>
      value.startsWith("@")
        ? read(value.slice(1), files).split(/[\r\n]+/).filter((each) => each)
        : [value]
    );
}

function curlHeaders(
  { options, given, lines }: {
    readonly options: readonly GivenOption[];
    readonly given: ReadonlyMap<string, string>;
    readonly lines: readonly string[];
  },
): [string, string][] {
  const headers: [string, string][] = [];
  const put = (name: string, value: string) => {
    if (headerValue(headers, name) === undefined) headers.push([name, value]);
  };
  for (const line of lines) {
    const [, name, content] = /^([^:;]+?)\s*[:;]\s*([\s\S]*)$/.exec(line) ??
      [];
    if (name !== undefined) headers.push([name, content!.trim()]);
  }
  const cookies = options.filter((each) => each.option.long === "cookie")
    .map((each) => each.value).filter((each) => each.includes("="));
  if (cookies.length > 0) put("Cookie", cookies.join("; "));
  const one = (
    long: string,
    name: string,
    as: (text: string) => string | undefined = (text) => text,
  ) => {
    const text = given.get(long);
    const value = text === undefined ? undefined : as(text);
    if (value !== undefined) put(name, value);
  };
  one("user-agent", "User-Agent");
  one("referer", "Referer", (url) => url.replace(/;auto$/, ""));
  one(
    "range",
    "Range",
    (range) => `bytes=${/^\d+$/.test(range) ? `${range}-` : range}`,
  );
  one(
    "continue-at",
    "Range",
    (bytes) => /^0*[1-9]\d*$/.test(bytes) ? `bytes=${bytes}-` : undefined,
  );
  one("oauth2-bearer", "Authorization", (token) => `Bearer ${token}`);
  if (!otherScheme(given)) one("user", "Authorization", basicValue);
  if (given.has("compressed")) put("Accept-Encoding", "gzip, deflate, br");
  if (given.has("json")) {
    put("Content-Type", "application/json");
    put("Accept", "application/json");
  }
  return headers;
}

/** Schemes that no flow has; none of them sends the password itself. */
const OTHER_SCHEMES = ["digest", "ntlm", "negotiate", "aws-sigv4"];

/** The scheme that a user and a password are for, where it is not Basic. */
function otherScheme(given: ReadonlyMap<string, string>): string | undefined {
  return OTHER_SCHEMES.find((each) => given.has(each));
}

function basicValue(user: string): string {
  const isPair = user.includes(":") || hasTemplate(user);
  const pair = isPair ? user : `${user}:`;
  return `Basic ${new TextEncoder().encode(pair).toBase64()}`;
}

/** One file as the body, or the text of standard input, or in words why not. */
function uploaded(path: string, { text }: ShellInput): RequestBody | undefined {
  if (path === "-" || path === ".") {
    if (text === undefined) return { unsendable: STANDARD_INPUT };
    return text === "" ? undefined : { text };
  }
  const isOne = isFilePath(path) && !/[{[]/.test(path);
  return isOne ? { file: path } : { unsendable: "a file: write it as `file`" };
}

const STANDARD_INPUT =
  "standard input, which is not in the command: write it into a file, and that as `file`";

/** Characters of JSON that is better read in the flow, which has at most 1 MiB. */
const LONGEST_JSON = 200_000;

/** The file that alone is the body: long JSON, and with `--data-binary` whatever is no JSON. */
function bodyFile(
  options: readonly GivenOption[],
  files: CurlFiles,
): RequestBody | undefined {
  const [only, ...others] = options.filter(({ option }) =>
    /^(?:data|json)/.test(option.long)
  );
  if (!only?.value.startsWith("@") || others.length > 0) return;
  const { long } = only.option;
  if (!/^(?:data|data-ascii|data-binary|json)$/.test(long)) return;
  const path = namedFile(only.value.slice(1), files);
  if (!isFilePath(path) || path === "-") return;
  const json = ifPossible(() => asJson(files.readText(path)), undefined);
  const length = json?.length ?? (long === "data-binary" ? Infinity : 0);
  return length > LONGEST_JSON ? { file: path } : undefined;
}

function asJson(text: string): string {
  JSON.parse(text);
  return text;
}

const INSTEAD: Readonly<Record<string, string>> = {
  insecure: "`-k`: give `--insecure` to `bench run`",
  location:
    "`-L`: redirects are not followed; a 3xx is a response like any other",
  "connect-to": "`--connect-to`: `bench run --resolve` is nearest",
  "http1.0": "`--http1.0`: HTTP/1.1 is sent",
  "http1.1": "`--http1.1`: give `--http 1.1` to `bench run`",
  "http2-prior-knowledge":
    "`--http2-prior-knowledge`: give `--http 2` to `bench run`",
  retry: "`--retry`: a step tries again as its `retry` says",
  resolve: "`--resolve`: give it to `bench run`",
  proxy: "`-x`: give `--proxy` to `bench run`",
  cacert: "`--cacert`: give it to `bench run`",
  cert: "`--cert`: give it to `bench run`",
  key: "`--key`: give it to `bench run`",
  anyauth: "`--anyauth`: basic auth is sent",
};

/** `name=@a.png,b.png` */
const FILES = /^[^=]*=@(?:[^",]|"(?:[^"\\]|\\.)*")*,/;

function notesOf(
  options: readonly GivenOption[],
  given: ReadonlyMap<string, string>,
  lines: readonly string[],
): string[] {
  const notes = [...given.keys()].flatMap((long) =>
    OTHER_SCHEMES.includes(long)
      ? `\`--${long}\`: there is no such auth scheme${
        given.has("user") ? ", so `-u` is not sent" : ""
      }`
      : INSTEAD[long] ?? []
  );
  const named = options.filter(({ option }) =>
    option.named && !INSTEAD[option.long] &&
    !OTHER_SCHEMES.includes(option.long)
  ).map(({ option }) => `\`--${option.long}\`: a flow has nothing like it`);
  const empty = lines.filter((each) => /^[^:;]+;$/.test(each))
    .map((each) => `\`-H '${each}'\`: a header without a value is not sent`);
  const nested = options.filter(({ option, value }) =>
    option.long === "form" && FILES.test(value)
  ).map(() =>
    "`-F` with several files: each is a part of its own, which curl nests into one"
  );
  const nameless = lines.filter((each) => !/[:;]/.test(each))
    .map((each) =>
      `\`-H '${each}'\`: a header without a colon is not sent${
        hasTemplate(each) ? ": write its name into the command" : ""
      }`
    );
  const method = given.get("request") ?? "";
  const capital = method.toUpperCase();
  return [
    ...notes,
    ...(/^[A-Za-z]+$/.test(method) && method !== capital
      ? [
        `\`-X ${method}\`: ${capital} is sent: a flow has methods in capital letters alone`,
      ]
      : []),
    ...new Set([...named, ...nested]),
    ...empty,
    ...nameless,
  ];
}
