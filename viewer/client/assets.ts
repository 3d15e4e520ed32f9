import { createHash } from "node:crypto";
import charts from "./charts.js" with { type: "text" };
import keys from "./keys.js" with { type: "text" };
import live from "./live.js" with { type: "text" };
import main from "./main.js" with { type: "text" };
import palette from "./palette.css" with { type: "text" };
import style from "./style.css" with { type: "text" };
import blocks from "./blocks.css" with { type: "text" };
import narrow from "./narrow.css" with { type: "text" };
import print from "./print.css" with { type: "text" };

/** Addresses of the browser's files. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

interface Asset {
  readonly text: string;
  readonly type: string;
}

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** The style sheet of every page; a report file carries it whole. */
export const STYLE_TEXT =
  `${palette}\n${style}\n${blocks}\n${narrow}\n${print}`;

const FILES: Readonly<Record<string, Asset>> = {
  "style.css": { text: STYLE_TEXT, type: STYLE },
  "charts.js": { text: charts, type: SCRIPT },
  "keys.js": { text: keys, type: SCRIPT },
  "live.js": { text: live, type: SCRIPT },
  "main.js": { text: main, type: SCRIPT },
};

/** Of all of them: one changed file changes every address. */
const HASH = createHash("sha256")
  .update(Object.values(FILES).map((file) => file.text).join("\n"))
  .digest("hex").slice(0, 12);

/** Where the pages find them. */
export const ASSETS: Assets = {
  style: `/assets/${HASH}/style.css`,
  script: `/assets/${HASH}/main.js`,
};

/** One of the browser's files; they never change under one address. */
export function assetResponse(path: string): Response | undefined {
  const [, folder, hash, name = ""] = path.split("/");
  if (folder !== "assets" || hash !== HASH) return;
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file || path !== `/assets/${HASH}/${name}`) return;
  return new Response(file.text, {
    headers: {
      "content-type": file.type,
      "cache-control": "public, max-age=31536000, immutable",
    },
  });
}
