import type { HeaderList } from "../../base/values/headers.ts";
import {
  FieldBlock,
  type RequestField,
} from "../../wire/http2/hpack/encoder.ts";
import { pseudoFields, type RequestFields } from "../../wire/http2/request.ts";
import type { Origin } from "../../wire/net/origin.ts";

/** What is known of a field before the run. */
interface PlannedField {
  readonly name: string;
  /** Absent when it is another one for each request. */
  readonly value?: string;
  /** A credential: no proxy on the way should keep it in a table. */
  readonly secret: boolean;
}

/**
 * Prepares the fields of a request for HTTP/2: those next to each other that are
 * the same for every request are one block, and what changes stays out of the
 * table. `Host` is `:authority` there (RFC 9113 section 8.3.1).
 *
 * @param target absent when it is another one for each request
 * @param planned the fields that come after `Host`; behind them are signatures
 * @param last the fields at the end
 * @returns makes them from those a request would have in HTTP/1.1
 */
export function prepareHttp2Fields(
  method: string,
  target: string | undefined,
  planned: readonly PlannedField[],
  last: HeaderList,
): (origin: Origin, target: string, fields: HeaderList) => RequestFields {
  const pseudo = pseudoFields(method, target);
  const parts = planParts(planned);
  const end = new FieldBlock(
    last.map(([name, value]) => ({ name: name.toLowerCase(), value })),
  );
  return (origin, path, fields) => {
    const out: (FieldBlock | RequestField)[] = [pseudo(origin)];
    if (target === undefined) {
      out.push({ name: ":path", value: path, literal: "once" });
    }
    for (const part of parts) {
      if (typeof part !== "number") {
        out.push(part);
        continue;
      }
      const field = fields[1 + part]!;
      // As in HTTP/1.1, a field without a value is not sent.
      if (field[1] !== "") out.push(late(field, planned[part]!.secret));
    }
    const signed = fields.slice(
      1 + planned.length,
      fields.length - last.length,
    );
    for (const field of signed) {
      if (field[1] !== "") out.push(late(field, true));
    }
    out.push(end);
    return out;
  };
}

/** Blocks, and the positions of fields that change. */
function planParts(planned: readonly PlannedField[]): (FieldBlock | number)[] {
  const parts: (FieldBlock | number)[] = [];
  let known: RequestField[] = [];
  const flush = () => {
    if (known.length > 0) parts.push(new FieldBlock(known));
    known = [];
  };
  planned.forEach(({ name, value, secret }, at) => {
    if (value === undefined) {
      flush();
      parts.push(at);
      return;
    }
    const field = { name: name.toLowerCase(), value: value.trim() };
    known.push(secret ? { ...field, literal: "never" } : field);
  });
  flush();
  return parts;
}

function late(
  [name, value]: readonly [string, string],
  secret: boolean,
): RequestField {
  return {
    name: name.toLowerCase(),
    value: value.trim(),
    literal: secret ? "never" : "once",
  };
}
