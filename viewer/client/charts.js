import { rules, shades } from "./chart_marks.js";
import { STEPS, TEXTS, time, TIME_STEPS } from "./chart_texts.js";

/**
 * Puts an interactive chart in the place of each SVG: cursors that move
 * together, a part of the time chosen by dragging, arrow keys.
 */
/** Less where charts stand under each other. */
const heightOf = (figure) => figure.closest(".stacked") ? 140 : 180;
const DASHES = [[], [7, 4], [], [2, 4], [9, 4, 2, 4], [], [7, 4], []];
/** Outcomes have the colours that they have everywhere. */
const COLOURS = { 6: "bad", 7: "warn" };

/** Charts by their figures, with the data they show. */
const drawn = new Map();
let library;

/** Draws the charts of a part of the page. */
export async function startCharts(root) {
  const figures = [...root.querySelectorAll(FIGURES)];
  if (figures.length === 0) return;
  // Only pages with charts load the library.
  library ??= import(new URL("uplot.js", import.meta.url).href);
  const uPlot = (await library).default;
  for (const figure of figures) draw(uPlot, figure);
}

const FIGURES = ".charts[data-sync] figure.chart";

/** Everything again, in the colours of now. */
export async function redrawCharts() {
  if (!library) return;
  const uPlot = (await library).default;
  for (const figure of drawn.keys()) draw(uPlot, figure);
}

/** Gives the charts of a part of the page the data of its newer version. */
export function updateCharts(old, fresh) {
  const now = [...old.querySelectorAll(FIGURES)];
  const next = [...fresh.querySelectorAll(FIGURES)];
  const same = now.length > 0 && now.length === next.length &&
    now.every((figure, i) => drawn.has(figure) && figure.id === next[i].id);
  if (!same) return false;
  now.forEach((figure, i) => {
    const view = drawn.get(figure);
    view.data = dataOf(next[i]);
    view.chart.setData(valuesOf(view.data));
    figure.querySelector(".sum").textContent =
      next[i].querySelector(".sum").textContent;
  });
  return true;
}

/** Forgets the charts of a part of the page that is taken away. */
export function dropCharts(root) {
  for (const figure of root.querySelectorAll(FIGURES)) {
    drawn.get(figure)?.chart.destroy();
    drawn.delete(figure);
  }
}

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const chart = drawn.get(target)?.chart;
    const width = target.clientWidth;
    if (chart && width > 0 && width !== chart.width) {
      chart.setSize({ width, height: heightOf(target) });
    }
  }
});

function draw(uPlot, figure) {
  drawn.get(figure)?.chart.destroy();
  const view = { data: dataOf(figure) };
  view.chart = chartOf(uPlot, figure, view);
  drawn.set(figure, view);
  figure.classList.add("drawn");
  observer.observe(figure);
}

function dataOf(figure) {
  return JSON.parse(figure.querySelector("template").content.textContent);
}

function valuesOf(data) {
  return [data.times, ...data.lines.map((line) => line.values)];
}

function chartOf(uPlot, figure, view) {
  const { data } = view;
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const text = TEXTS[data.unit];
  const axis = {
    stroke: colour("soft"),
    grid: { stroke: colour("rule"), width: 1 },
    ticks: { stroke: colour("rule") },
    font: "12px system-ui",
  };
  const place = figure.querySelector(".place") ??
    document.createElement("div");
  place.className = "place";
  place.tabIndex = 0;
  place.setAttribute("role", "group");
  place.setAttribute(
    "aria-label",
    `${figure.querySelector("h3").textContent}: arrow keys move the cursor`,
  );
  figure.querySelector(".plot").after(place);
  const highest = Math.max(0, ...data.limits.map((limit) => limit.at));
  const chart = new uPlot(
    {
      width: figure.clientWidth,
      height: heightOf(figure),
      scales: {
        x: {
          time: false,
          range: (_u, low, high) => view.data.span ?? [low, high],
        },
        y: {
          ...(data.log ? { distr: 3, range: [data.log[0], data.log.at(-1)] } : {
            range: (
              _u,
              _low,
              high,
            ) => [0, Math.max(high, highest) * 1.08 || 1],
          }),
        },
      },
      cursor: {
        y: false,
        sync: { key: "run" },
        move: (u, left, top) => [snapped(u, left), top],
        drag: { x: true, y: false, setScale: false },
      },
      legend: { show: false },
      axes: [
        { ...axis, incrs: TIME_STEPS, values: (_, ticks) => ticks.map(time) },
        {
          ...axis,
          size: 66,
          space: 24,
          values: (_, ticks) => ticks.map(text),
          ...(STEPS[data.unit] && { incrs: STEPS[data.unit] }),
          ...(data.log && { splits: () => data.log }),
        },
      ],
      series: [
        { label: "time", value: (_, v) => v === null ? "–" : time(v) },
        ...data.lines.map((line) => ({
          label: line.label,
          stroke: colour(COLOURS[line.colour] ?? `c${line.colour}`),
          width: 2,
          dash: DASHES[line.colour],
          spanGaps: false,
          points: { show: data.times.length < 3 },
          value: (_, v) => v === null || v === undefined ? "–" : text(v),
        })),
      ],
      hooks: {
        drawClear: [(u) => shades(u, view.data, colour)],
        draw: [(u) => rules(u, view.data, colour)],
        setCursor: [(u) => readOut(figure, indexOf(u), view.data, text)],
        setSelect: [(u) => {
          if (u.select.width < 8) return;
          zoom(
            u.posToVal(u.select.left, "x"),
            u.posToVal(u.select.left + u.select.width, "x"),
          );
        }],
      },
    },
    valuesOf(data),
    place,
  );
  keys(place, chart, view, text);
  return chart;
}

/** The place of the point that is next to a place. */
function snapped(u, left) {
  return left < 0 ? left : u.valToPos(u.data[0][u.posToIdx(left)], "x");
}

/** The point under the cursor; none where another chart has one and this has not. */
function indexOf(u) {
  const { idx, left } = u.cursor;
  if (idx === null || idx === undefined || left < 0) return null;
  const times = u.data[0];
  const apart = Math.abs(times[idx] - u.posToVal(left, "x"));
  return apart > ((times[1] ?? 1) - (times[0] ?? 0)) / 2 ? null : idx;
}

/** The part of the time is in the address, so that it can be sent to someone. */
function zoom(from, to) {
  const url = new URL(location.href);
  url.searchParams.set("t0", String(Math.max(0, Math.floor(from))));
  url.searchParams.set("t1", String(Math.ceil(to)));
  url.hash = "time";
  location.assign(url);
}

function keys(place, chart, view, text) {
  let at = -1;
  place.onkeydown = (event) => {
    const { data } = view;
    if (
      event.key === "Escape" && new URL(location.href).searchParams.has("t0")
    ) {
      const url = new URL(location.href);
      url.searchParams.delete("t0");
      url.searchParams.delete("t1");
      location.assign(url);
      return;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    at = Math.min(data.times.length - 1, Math.max(0, at + step));
    const left = chart.valToPos(data.times[at], "x");
    chart.setCursor({ left, top: 10 }, true, true);
    const values = data.lines.map((line) =>
      `${line.label} ${
        line.values[at] === null ? "none" : text(line.values[at])
      }`
    );
    document.getElementById("say").textContent = `${time(data.times[at])}: ${
      values.join(", ")
    }`;
  };
}

/** The time under the cursor, and the values there beside their lines' names. */
function readOut(figure, at, data, text) {
  const legend = figure.querySelector(".legend");
  let when = legend.querySelector(".when");
  if (!when) {
    when = document.createElement("span");
    when.className = "when";
    legend.prepend(when);
  }
  when.textContent = at === null ? "" : time(data.times[at]);
  const names = figure.querySelectorAll(".legend .key");
  data.lines.forEach((line, i) => {
    const name = names[i];
    let now = name.querySelector(".now");
    if (!now) {
      now = document.createElement("span");
      now.className = "now";
      name.append(now);
    }
    const value = at === null ? null : line.values[at];
    now.textContent = value === null || value === undefined
      ? ""
      : `: ${text(value)}`;
  });
}
