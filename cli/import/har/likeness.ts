import { snakeCase } from "../draft/names.ts";
import type { Slot } from "./slots.ts";
import type { Source } from "./sources.ts";

/** Names of what one response gives and another request names. */
const IDENTIFIES =
  /(?:^|_)(?:ids?|uid|uuid|guid|key|token|code|slug|sku|number|no|ref|reference|csrf|xsrf|nonce|cursor|etag|version|revision|rev|handle|hash|state|href|url|next|after|page_token|location)$/;
/** Long enough that two are equal by no accident. */
const TELLING = 8;

/** `next_page`, `nextCursor`: made to be sent back. */
function leadsOn(name: string): boolean {
  return snakeCase(name).startsWith("next_");
}

/** Whether a value under this name says which one is meant. */
function identifies(name: string): boolean {
  return IDENTIFIES.test(snakeCase(name));
}

/**
 * How well a value of a response explains one of a request: 0 when it does not.
 * Equal short values are no proof unless their names say what they are.
 *
 * @param variable what the value of the response is called as a variable:
 *   `order_id` for `$.order.id`
 */
export function likeness(
  slot: Slot,
  source: Source,
  variable: string,
): number {
  if (!isSame(slot, source)) return 0;
  const text = String(slot.value);
  const base = namesThing(slot, source, variable)
    ? 40
    : plausible(slot, source, text);
  if (base === 0) return 0;
  const [own, other] = [snakeCase(slot.key), snakeCase(source.key)];
  const alike = own === other || own.endsWith(`_${other}`) ||
    other.endsWith(`_${own}`);
  return base + (alike ? 10 : 0) + (identifies(source.key) ? 3 : 0) +
    (source.kind === "body" ? 5 : 0);
}

/** `order: 7` is what `$.order.id` gave. */
function namesThing(slot: Slot, source: Source, variable: string): boolean {
  return slot.kind === "body" && identifies(source.key) &&
    variable === `${snakeCase(slot.key)}_${snakeCase(source.key)}`;
}

/** Whether both are one value, of one type where the type is sent. */
export function isSame(slot: Slot, { value }: Source): boolean {
  // A template alone keeps the type of its value.
  return slot.kind === "body"
    ? slot.value === value
    : String(slot.value) === String(value);
}

function plausible(slot: Slot, source: Source, text: string): number {
  const telling = text.length >= TELLING && !/\s/.test(text);
  switch (slot.kind) {
    case "cookie":
      if (source.kind === "cookie") return source.key === slot.key ? 100 : 0;
      return telling ? 40 : 0;
    case "bearer":
      return text.length > 3 ? 60 : 0;
    case "header":
      return telling && !/^(?:accept|content-type)$/i.test(slot.key) ? 40 : 0;
    case "path":
      if (!/\d/.test(text) && !telling) return 0;
      return telling || identifies(source.key) ? 40 : 0;
    case "query":
    case "body":
      if (telling && typeof slot.value === "string") return 40;
      if (isLongNumber(slot.value) && identifies(source.key)) return 40;
      return leadsOn(source.key) ||
          (identifies(source.key) && identifies(slot.key))
        ? 40
        : 0;
  }
}

/** Hardly ever equal to another by accident. */
function isLongNumber(value: string | number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1e4;
}

/** By what two values sent are the same one: short ones go by their place, too. */
export function sentAs({ kind, key, value }: Slot): string {
  const text = String(value);
  return text.length >= TELLING ? text : `${kind}/${key}/${text}`;
}

/** Made by the client anew each time: UUIDs, moments, random digits. */
export function looksGenerated(value: string | number): boolean {
  return /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{16,}|1\d{9}|1\d{12}|\d{4}-\d\d-\d\dT\d\d:\d\d.*|0?\.\d{8,})$/i
    .test(String(value));
}
