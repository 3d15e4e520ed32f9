import { deepEqual, ok } from "node:assert/strict";

const CSS = Deno.readTextFileSync(
  new URL("../../../viewer/client/palette.css", import.meta.url),
);

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];
type Sight = (rgb: Triple) => Triple;

/** Linear light of an sRGB colour. */
function light(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

const times = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;

/** Without one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1. */
const DEUTERANOPIA: Sight = (rgb) =>
  times([
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ], rgb);
const PROTANOPIA: Sight = (rgb) =>
  times([
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ], rgb);

/** How different two colours look: the distance in Oklab, where black and white are 1 apart. */
function distance(a: string, b: string, seen: Sight): number {
  const [x, y] = [a, b].map((hex) => {
    const cones = times([
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ], seen(light(hex)));
    return times([
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ], cones.map(Math.cbrt) as unknown as Triple);
  });
  return Math.hypot(...x!.map((each, i) => each - y![i]!));
}

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
function luminance(hex: string): number {
  const [r, g, b] = light(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

/** The colours for light or for dark. */
function colours(scheme: "light" | "dark"): Record<string, string> {
  const pairs = CSS.matchAll(
    /--([\w-]+): light-dark\((#[0-9a-f]{6})\w*, (#[0-9a-f]{6})\w*\)/g,
  );
  return Object.fromEntries(
    [...pairs].map(([, name, light, dark]) => [
      name,
      scheme === "light" ? light : dark,
    ]),
  );
}

for (const name of ["light", "dark"] as const) {
  const theme = colours(name);
  Deno.test(`palette: the chosen cell of a ${name} heat map stands out from every cell`, () => {
    for (const seen of [(rgb: Triple) => rgb, DEUTERANOPIA, PROTANOPIA]) {
      for (const cell of ["panel", "h0", "h1", "h2", "h3", "h4", "h5"]) {
        const apart = distance(theme.chosen!, theme[cell]!, seen);
        ok(apart > 0.2, `${cell}: ${apart}`);
      }
    }
  });
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

  Deno.test(`palette: ${name} steps, phases and outcomes are three families`, () => {
    const family = (name: RegExp) =>
      Object.entries(theme).filter(([key]) => name.test(key))
        .map(([, colour]) => colour);
    const steps = family(/^c\d$/);
    const phases = family(/^p-/);
    const outcomes = family(/^(?:bad|warn)$/);
    deepEqual([steps.length, phases.length, outcomes.length], [6, 5, 2]);
    const apart = (
      some: readonly string[],
      others: readonly string[],
      least: number,
      seen: Sight = (rgb) => rgb,
    ) => {
      for (const a of some) {
        for (const b of others) {
          if (a === b) continue;
          const far = distance(a, b, seen);
          ok(far >= least, `${a} and ${b}: ${far.toFixed(3)}`);
        }
      }
    };
    // A step that only took its time must never look like one that failed.
    apart(steps, outcomes, 0.14);
    apart(phases, outcomes, 0.14);
    apart(steps, steps, 0.14);
    apart(steps, phases, 0.075);
    for (const seen of [DEUTERANOPIA, PROTANOPIA]) {
      apart(steps, outcomes, 0.06, seen);
      apart(phases, outcomes, 0.06, seen);
      apart(steps, steps, 0.06, seen);
    }
    for (const phase of phases) {
      const ratio = contrast(phase, theme["page"]!);
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

Deno.test("style: type is of the scale, distances are of the unit, as decision 068 says", () => {
  for (const sheet of ["style", "blocks", "narrow"]) {
    const text = Deno.readTextFileSync(
      new URL(`../../../viewer/client/${sheet}.css`, import.meta.url),
    );
    const sizes = text.match(/font-size: [^;]*;/g) ?? [];
    deepEqual(
      sizes.filter((each) =>
        !/: (?:var\(--(?:small|note|body|lead|title)\)|inherit);/.test(each)
      ),
      [],
      sheet,
    );
    const distances = [
      ...text.matchAll(/\b(?:margin|padding|gap)[\w-]*: ([^;{}]*);/g),
    ].flatMap(([, value]) => value!.match(/[\d.]+(?=rem)/g) ?? []);
    ok(distances.length > 0);
    deepEqual(
      distances.filter((each) => Number(each) * 8 % 1 !== 0),
      [],
      sheet,
    );
  }
});
