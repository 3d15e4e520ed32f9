import { ok } from "node:assert/strict";

const CSS = Deno.readTextFileSync(
  new URL("../../../viewer/client/palette.css", import.meta.url),
);

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

/** The colours of one block of the sheet. */
function colours(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]),
  );
}

const [light, dark, system] = CSS.split("}").filter((each) =>
  each.includes("--page")
).map(colours);

for (
  const [name, theme] of Object.entries({ light, dark, system }) as [
    string,
    Record<string, string>,
  ][]
) {
  Deno.test(`palette: ${name} text is readable on every ground it stands on`, () => {
    const grounds: Record<string, string[]> = {
      text: ["page", "panel", "good-soft", "bad-soft", "warn-soft"],
      soft: ["page", "panel"],
      link: ["page", "panel", "good-soft", "bad-soft", "warn-soft"],
      good: ["page", "panel", "good-soft"],
      bad: ["page", "panel", "bad-soft"],
      warn: ["page", "panel", "warn-soft"],
    };
    for (const [text, all] of Object.entries(grounds)) {
      for (const ground of all) {
        const ratio = contrast(theme[text]!, theme[ground]!);
        ok(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
  });

  Deno.test(`palette: ${name} steps, phases and outcomes share no colour`, () => {
    const families = Object.entries(theme)
      .filter(([key]) => /^(?:c\d|p-.*|bad|warn)$/.test(key))
      .map(([, colour]) => colour);
    ok(families.length === 13, `${families.length} colours`);
    ok(new Set(families).size === families.length, families.join(" "));
    for (const phase of ["dns", "connect", "tls", "ttfb", "transfer"]) {
      const ratio = contrast(theme[`p-${phase}`]!, theme["page"]!);
      ok(ratio >= 3, `${phase}: ${ratio.toFixed(2)}`);
    }
  });

  Deno.test(`palette: ${name} lines stand out from the page`, () => {
    for (let i = 0; i < 6; i++) {
      for (const ground of ["page", "panel"]) {
        const ratio = contrast(theme[`c${i}`]!, theme[ground]!);
        ok(ratio >= 3, `c${i} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
  });
}
