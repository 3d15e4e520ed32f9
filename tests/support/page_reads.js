/*
 * Functions that run inside a browser's page. They are JavaScript because the
 * program's own type library has no DOM.
 */

/** Pixels by which the page is wider than the window. */
export function overflow() {
  return document.documentElement.scrollWidth - innerWidth;
}

/** What is wider than its place and scrolls there, by what it is called. */
export function sideways() {
  return [...document.querySelectorAll("*")].filter((element) =>
    element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 &&
    ["auto", "scroll"].includes(getComputedStyle(element).overflowX)
  ).map((element) => ({
    name: element.getAttribute("aria-label") ?? element.tagName,
    focusable: element.tabIndex >= 0,
  }));
}

/** The lines that cards' cells stand in: none is wider than the window. */
export function cardsFit() {
  const cells = [...document.querySelectorAll(".stack td, .stack tbody th")];
  return cells.length > 0 &&
    cells.every((cell) => cell.getBoundingClientRect().right <= innerWidth + 1);
}

/** What each chart over time shows at its cursor: its time, and whether a line is drawn there. */
export function cursors() {
  return [...document.querySelectorAll(".clocked .chart")].map((chart) => ({
    when: chart.querySelector(".when").textContent,
    drawn: chart.querySelector(".cursor").getAttribute("d") !== "",
  }));
}

/**
 * What axe, already loaded into the page, finds.
 *
 * @param rules by id; every one when absent
 */
export async function findings(rules) {
  const { violations } = await globalThis.axe.run({
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  });
  return violations
    .map(({ id, nodes }) => ({
      id,
      at: nodes.map((node) => node.html.slice(0, 200)).slice(0, 3),
    }));
}

/** The widest the body may be, as its style sheet says. */
export function bodyWidth() {
  return getComputedStyle(document.body).maxWidth;
}

/** Whether scripts have done their part for every chart over time. */
export function chartsReady() {
  return document.querySelector(".charts[data-sync] .chart:not(.ready)") ===
    null;
}
