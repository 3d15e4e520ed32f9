import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { type Origin, parseOrigin } from "../../wire/net/origin.ts";

const TEMPLATE = /\{\{.*?\}\}/g;

/**
 * What is wrong with `grpc://host:port` or `grpcs://host:port` as far as it is known,
 * and in which part of it; an address that begins with a template is checked when it is used.
 */
export function addressError(text: string): Diagnostic<string> | undefined {
  if (text.startsWith("{{")) return undefined;
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text);
  if (!match) {
    const hint = /^[\w.[\]:{} -]+$/.test(text)
      ? `write grpc://${text}, or grpcs://${text} for TLS`
      : EXAMPLE;
    return wrong(text, `\`${text}\` is not a gRPC address`, hint);
  }
  const [, scheme = "", authority = "", rest = ""] = match;
  const lower = scheme.toLowerCase();
  if (lower !== "grpc" && lower !== "grpcs") {
    const own = lower === "https" ? "grpcs" : "grpc";
    return wrong(
      `${scheme}://`,
      `a gRPC address begins with grpc:// or grpcs://, not with ${scheme}://`,
      `write ${own}://${authority}`,
    );
  }
  if (rest !== "") {
    return wrong(
      rest,
      `a gRPC address has no path, but this one has \`${rest}\``,
      `\`method\` says what is called: write ${lower}://${authority}`,
    );
  }
  try {
    // Stands in for what the template gives: a name, or a port after a colon.
    parseOrigin(`${lower}://${authority.replaceAll(TEMPLATE, "1")}`);
    return undefined;
  } catch (error) {
    return wrong(text, (error as Error).message, EXAMPLE);
  }
}

const EXAMPLE = "for example grpc://localhost:50051";

function wrong(at: string, message: string, hint: string): Diagnostic<string> {
  return { at, code: "bad-address", message, hint };
}

/**
 * The origin of a rendered address.
 *
 * @throws {SyntaxError} when it is not one
 */
export function parseAddress(text: string): Origin {
  const error = addressError(text);
  if (error) throw new SyntaxError(error.message);
  return parseOrigin(text);
}
