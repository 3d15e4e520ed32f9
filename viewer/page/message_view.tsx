import { plural } from "../../lib/results/report/figures.ts";
import { spreadJson } from "../../lib/base/values/spread_json.ts";
import type { CapturedMessage } from "../../lib/model/result/response.ts";
import type { Markup } from "../markup/markup.ts";
import { Scroll, Verbatim } from "../markup/scroll.tsx";
import { bytesText } from "../model/words.ts";

/** Characters of a body that show without unfolding. */
const SHORT = 4_000;

/** One side of an exchange. Whatever it holds is text and never markup. */
export function messageView(
  title: string,
  message: CapturedMessage | undefined,
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
      {body(title, message)}
    </div>
  );
}

function body(title: string, message: CapturedMessage): Markup {
  const { body, body_bytes, body_encoding, body_truncated, body_sha256 } =
    message;
  if (body_sha256 !== undefined) {
    return (
      <p class="empty">
        No body captured ({bytesText(body_bytes ?? 0)}): it could not be
        searched for secrets. SHA-256: <code>{body_sha256}</code>
      </p>
    );
  }
  if (body === undefined || body === "") {
    return (
      <p class="empty">
        No body{body_bytes ? ` captured (${bytesText(body_bytes)})` : ""}.
      </p>
    );
  }
  const text = body_encoding === "base64" ? body : readable(body);
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
function readable(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  // Deep nesting is mostly indentation: 64 KiB would make a page of 100 MB.
  const spread = spreadJson(text, MOST_SPREAD * text.length);
  return spread?.whole ? spread.text : text;
}

/** Line breaks make ordinary JSON two or three times as long. */
const MOST_SPREAD = 20;
