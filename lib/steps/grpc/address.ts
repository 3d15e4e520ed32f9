import { type Origin, parseOrigin } from "../../wire/net/origin.ts";

/** What is wrong with an address. */
export interface AddressMistake {
  readonly message: string;
  readonly hint: string;
  /** The part at fault; all of it when absent. */
  readonly part?: string;
}

const TEMPLATE = /\{\{.*?\}\}/g;

/**
 * Checks `grpc://host:port` or `grpcs://host:port` as far as it is known: an
 * address that begins with a template is checked when it is used.
 */
export function addressMistake(text: string): AddressMistake | undefined {
  if (text.startsWith("{{")) return undefined;
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text);
  if (!match) {
    return {
      message: `\`${text}\` is not a gRPC address`,
      hint: /^[\w.[\]:{} -]+$/.test(text)
        ? `write grpc://${text}, or grpcs://${text} for TLS`
        : WANTED,
    };
  }
  const [, scheme = "", authority = "", rest = ""] = match;
  const lower = scheme.toLowerCase();
  if (lower !== "grpc" && lower !== "grpcs") {
    const own = lower === "https" ? "grpcs" : "grpc";
    return {
      message:
        `a gRPC address begins with grpc:// or grpcs://, not with ${scheme}://`,
      hint: `write ${own}://${authority}`,
      part: `${scheme}://`,
    };
  }
  if (rest !== "") {
    return {
      message: `a gRPC address has no path, but this one has \`${rest}\``,
      hint: `\`method\` says what is called: write ${lower}://${authority}`,
      part: rest,
    };
  }
  try {
    // Stands in for what the template gives: a name, or a port after a colon.
    parseOrigin(`${lower}://${authority.replaceAll(TEMPLATE, "1")}`);
    return undefined;
  } catch (error) {
    return { message: (error as Error).message, hint: WANTED };
  }
}

const WANTED = "for example grpc://localhost:50051";

/**
 * The origin of a rendered address.
 *
 * @throws {SyntaxError} when it is none
 */
export function parseAddress(text: string): Origin {
  const mistake = addressMistake(text);
  if (mistake) throw new SyntaxError(mistake.message);
  return parseOrigin(text);
}
