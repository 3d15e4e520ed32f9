import { difference, withCode } from "./parts.tsx";
import { latencyText, plural } from "../../lib/results/report/figures.ts";
import type { Failure } from "../../lib/model/result/failure.ts";
import type { Span } from "../../lib/model/result/trace.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { Scroll, Verbatim } from "../markup/data_table.tsx";
import { curlOf } from "../model/exchange.ts";
import type { WaterfallRow } from "../model/waterfall.ts";
import { spreadJson } from "../../lib/base/values/spread_json.ts";
import type { CapturedMessage } from "../../lib/model/result/response.ts";
import { bytesText } from "../model/words.ts";

/** Exchanges shown in full; beyond them a page would take long to load. */
const MOST = 100;

/**
 * The details of a span below its line, to be called in order: of a step, an attempt
 * that failed, an exchange with its messages, a check.
 * Undefined for a phase, whose line says everything.
 */
export function spanDetails(
  rows: readonly WaterfallRow[],
): (row: WaterfallRow) => Markup | undefined {
  let shown = 0;
  return (row) => {
    const { span, kind } = row;
    const exchange = span.request !== undefined || span.response !== undefined;
    const bare = !exchange && !span.failure && !span.attributes;
    if (bare) return;
    const full = exchange && shown++ < MOST;
    return (
      <>
        {kind === "check" && (
          <p class="where">
            <code>{span.name}</code>
          </p>
        )}
        {failureDetails(span)}
        {factsLine(Object.entries(span.attributes ?? {}))}
        {kind === "call" && phaseFacts(row, rows)}
        {full && exchangeView(span, true)}
        {exchange && !full &&
          (
            <p class="note">
              Only the first {MOST} exchanges are shown in full.
            </p>
          )}
      </>
    );
  };
}

function failureDetails({ failure, outcome }: Span): Markup | undefined {
  if (!failure) return;
  return (
    <div class={`cause ${outcome ?? "failed"}`}>
      <p>
        <code>{failure.code}</code>{" "}
        <span class="message">{withCode(failure.message)}</span>
      </p>
      {difference(failure)}
    </div>
  );
}

/** Names with what they are, in a line. */
function factsLine(all: readonly (readonly [string, unknown])[]) {
  if (all.length === 0) return;
  return (
    <p class="where">
      {all.map(([name, value]) => (
        <span>
          {name} <strong>{String(value)}</strong>
        </span>
      ))}
    </p>
  );
}

/** The phases in words, for those who cannot see the bars. */
function phaseFacts({ span }: WaterfallRow, rows: readonly WaterfallRow[]) {
  return factsLine(
    rows.filter((row) =>
      row.kind === "phase" && row.span.parent_id === span.span_id
    ).map((row) => [
      row.span.name,
      latencyText(row.span.duration_us / 1_000),
    ]),
  );
}

/** Request and response of an exchange; `open` unfolds them from the start. */
export function exchangeView(
  { request, response, attributes, failure }: Span,
  open: boolean,
): Markup {
  const origin = attributes?.origin;
  const curl = request && typeof origin === "string"
    ? curlOf(request, origin.replace(/^ws/, "http"))
    : undefined;
  return (
    <>
      <details open={open}>
        <summary>Request and response</summary>
        <div class="exchange">
          {messageView("Request", request)}
          {messageView("Response", response, failure)}
        </div>
      </details>
      {curl !== undefined &&
        (
          <details class="curl">
            <summary>As a curl command</summary>
            <button type="button" class="copy" data-copy hidden>Copy</button>
            <Verbatim label="curl command">{curl}</Verbatim>
          </details>
        )}
    </>
  );
}

/** Characters of a body that show without unfolding. */
const SHORT = 4_000;

/** One side of an exchange. Whatever it holds is text and never markup. */
function messageView(
  title: string,
  message: CapturedMessage | undefined,
  failure?: Failure,
): Markup {
  if (!message) {
    return (
      <div class="message-box">
        <p class="side-name">{title}</p>
        <p class="empty">
          {title === "Request" ? "Not captured." : "None, or not captured."}
        </p>
      </div>
    );
  }
  return (
    <div class="message-box">
      <p class="side-name">{title}</p>
      <pre class="line" tabindex="0">{message.line}</pre>
      {message.headers.length > 0 &&
        (
          <details open>
            <summary>
              {plural(message.headers.length, "header field")}
              {message.headers_truncated && " (others were too long to keep)"}
            </summary>
            <Scroll label={`${title} header fields`}>
              <table class="headers">
                <tbody>
                  {message.headers.map(([name, value]) => (
                    <tr>
                      <th scope="row">{name}</th>
                      <td>{value}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          </details>
        )}
      {bodyView(title, message, failure)}
    </div>
  );
}

/** @param failure why the exchange of the message failed */
function bodyView(
  title: string,
  message: CapturedMessage,
  failure: Failure | undefined,
): Markup {
  const { body, body_bytes, body_encoding, body_truncated, body_sha256 } =
    message;
  if (body_sha256 !== undefined) {
    return (
      <p class="empty">
        No body kept ({bytesText(body_bytes ?? 0)}): it hides a secret, or could
        not be searched for one. SHA-256: <code>{body_sha256}</code>
      </p>
    );
  }
  if (body === undefined || body === "") {
    // It may have begun: of a response that is not complete no body is kept.
    const isLost = failure !== undefined && failure.code !== "status";
    return (
      <p class="empty">
        No body{body_bytes
          ? ` captured (${bytesText(body_bytes)})`
          : isLost
          ? " was kept of this failed response"
          : ""}.
      </p>
    );
  }
  const text = body_encoding === "base64" ? body : withLineBreaks(body);
  const facts = [
    body_bytes !== undefined && bytesText(body_bytes),
    body_encoding === "base64" && "binary, as base64",
    body_truncated && "cut: only the beginning was kept",
  ].filter((each) => typeof each === "string").join(", ");
  const pre = <Verbatim label={`${title} body`}>{text}</Verbatim>;
  return (
    <>
      <p class="note">body{facts !== "" && ` (${facts})`}</p>
      {text.length <= SHORT ? pre : (
        <>
          <Verbatim label={`Beginning of the ${title} body`}>
            {`${text.slice(0, SHORT)}…`}
          </Verbatim>
          <details>
            <summary>
              Show all {plural(text.length, "character")}
            </summary>
            {pre}
          </details>
        </>
      )}
    </>
  );
}

/** JSON with line breaks; anything else as it came. */
function withLineBreaks(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  // Deep nesting is mostly indentation: 64 KiB would make a page of 100 MB.
  const spread = spreadJson(text, MOST_SPREAD * text.length);
  return spread?.whole ? spread.text : text;
}

/** Line breaks make ordinary JSON two or three times as long. */
const MOST_SPREAD = 20;
