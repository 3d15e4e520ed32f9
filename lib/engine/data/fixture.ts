import type { Pool } from "../../language/ir.ts";
import { osReason } from "../../base/text/os_reason.ts";
import { readCsv } from "./csv.ts";
import { readJsonFixture } from "./json.ts";
import { FixtureFile } from "./fixture_file.ts";
import type { Fixture } from "./table.ts";

/** The largest fixture file. */
export const MAX_FIXTURE_BYTES: number = 256 * 1024 * 1024;
/** The most rows of a fixture. */
const MAX_FIXTURE_ROWS = 1_000_000;

/**
 * Reads a whole fixture file into rows.
 *
 * CSV: the first record is the header; blank lines are skipped; a cell is the
 * text as it is, white space included. JSON: a list of objects; strings
 * stay, numbers, booleans, lists and objects become their text in the file, null
 * becomes empty text (what an empty CSV cell is).
 *
 * @param path the file as the user named it, for messages
 * @param readBytes gives the file's bytes, as `readInput` does
 * @throws {InputError} for a file that is missing, not UTF-8, empty, without
 * rows, over a limit, or malformed; each error with its line
 */
export function readFixture(
  path: string,
  format: Pool["format"],
  readBytes: (path: string, most: number) => Uint8Array,
): Fixture {
  const text = decode(path, load(path, readBytes));
  const fixture = new FixtureFile(path, text);
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    fixture.fail({
      at: fixture.atOffset(nul),
      code: "not-utf8",
      message:
        `fixture \`${path}\` must be UTF-8 text, but it holds NUL characters`,
      hint: "save it as UTF-8; UTF-16 looks like this",
    });
  }
  if (text.trim() === "") {
    fixture.refuseEmpty(fixture.at(), "the file is empty");
  }
  return format === "csv"
    ? readCsv(text, fixture, MAX_FIXTURE_ROWS)
    : readJsonFixture(text, fixture, MAX_FIXTURE_ROWS);
}

function load(
  path: string,
  readBytes: (path: string, most: number) => Uint8Array,
): Uint8Array {
  try {
    return readBytes(path, MAX_FIXTURE_BYTES);
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    return new FixtureFile(path, "").fail({
      at: { file: path },
      code: "unreadable-fixture",
      message: missing
        ? `there is no fixture file \`${path}\``
        : `cannot read the fixture file \`${path}\`: ${osReason(error)}`,
      ...(missing &&
        { hint: "the path is relative to the flow file's folder" }),
    });
  }
}

/** The text without its byte order mark. */
function decode(path: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_FIXTURE_BYTES) {
    const fixture = new FixtureFile(path, "");
    fixture.fail({
      at: fixture.at(),
      code: "fixture-too-large",
      message:
        `fixture \`${path}\` must be at most 256 MiB, but it has ${bytes.length} bytes`,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const fixture = new FixtureFile(path, text);
    const [at, byte] = firstBad(text, bytes);
    return fixture.fail({
      at: fixture.atOffset(at),
      code: "not-utf8",
      message: `fixture \`${path}\` must be UTF-8 text, but the byte 0x${
        byte.toString(16)
      } here is not`,
      hint: "save it as UTF-8",
    });
  }
}

/** Where the text has the first byte that is not UTF-8, and that byte. */
function firstBad(
  text: string,
  bytes: Uint8Array,
): [offset: number, byte: number] {
  const encoder = new TextEncoder();
  let [from, offset] = [0, 0];
  for (;;) {
    const at = text.indexOf(REPLACEMENT, from);
    offset += encoder.encode(text.slice(from, at)).length;
    const isWritten = encoder.encode(REPLACEMENT)
      .every((each, index) => bytes[offset + index] === each);
    if (!isWritten) return [at, bytes[offset]!];
    from = at + 1;
    offset += 3;
  }
}

/** A decoder puts it in place of a byte that is not UTF-8; a file may have it, too. */
const REPLACEMENT = "\ufffd";
