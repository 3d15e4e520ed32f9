import { equal, match } from "node:assert/strict";
import { withLazyParts } from "../../../tools/bundle.ts";

const run = async (text: string) =>
  await import(`data:text/javascript,${encodeURIComponent(text)}`) as {
    readonly value: unknown;
  };

Deno.test("withLazyParts: whole parts of Node are loaded at their first use", async () => {
  const text = withLazyParts(
    'import*as z from"node:zlib";import f from"node:fs";export const value=z.constants.Z_SYNC_FLUSH+typeof f.readFileSync;',
  );
  match(text, /const z=\$part\("node:zlib"\);const f=\$part\("node:fs"\);/);
  equal((await run(text)).value, "2function");
});

Deno.test("withLazyParts: what is taken by name of a part with functions and classes alone is called, or made, by what loads it", async () => {
  const text = withLazyParts(
    'import{createHash as h,KeyObject}from"node:crypto";import{domainToUnicode}from"node:url";let made;try{new KeyObject("none")}catch(error){made=error.code}export const value=h("sha1").update("").digest("hex").slice(0,8)+made+domainToUnicode("xn--4ca.de");',
  );
  match(text, /^const \$part/);
  equal((await run(text)).value, "da39a3eeERR_INVALID_ARG_VALUEä.de");
});

Deno.test("withLazyParts: what is taken by name, and other parts, stay as they are", () => {
  const text = 'import{readFileSync as r}from"node:fs";import p from"node:os";';
  equal(withLazyParts(text), text);
});
