/**
 * Interaction with the charts over time: a cursor at one moment of all of them,
 * moved by the pointer or by arrow keys, and a part of the time chosen by
 * dragging. The drawing is the server's.
 */
const FIGURES = ".charts[data-sync] figure.chart";
/** A shorter drag, in pixels, is a click. */
const SHORTEST = 8;

/** Charts by their figures. */
const charts = new WeakMap();
/** Seconds where the cursor is; undefined without one. */
let moment;

/** Makes the charts of a part of the page follow the cursor. */
export function startCharts(root) {
  for (const figure of root.querySelectorAll(FIGURES)) {
    const chart = chartOf(figure);
    charts.set(figure, chart);
    followPointer(chart);
    followKeys(chart);
    figure.classList.add("ready");
  }
  showCursors();
}

function chartOf(figure) {
  const plot = figure.querySelector(".plot");
  const area = plot.querySelector(".area");
  const legend = figure.querySelector(".legend");
  const lines = [...area.querySelectorAll(".line")];
  const keys = [...legend.querySelectorAll(".key")].slice(0, lines.length);
  const names = keys.map((key) => key.textContent.trim());
  const when = document.createElement("span");
  when.className = "when";
  legend.prepend(when);
  return {
    ...JSON.parse(figure.querySelector("template").content.textContent),
    title: figure.querySelector("h3").textContent,
    plot,
    area,
    names,
    when,
    readings: keys.map((key) => {
      const reading = document.createElement("span");
      reading.className = "now";
      key.append(reading);
      return reading;
    }),
    // By the place across: how far down the line is there.
    heights: lines.map((line) =>
      new Map(
        line.getAttribute("d").split(/[ML]/).slice(1).map((point) =>
          point.replace(/h8$/, "").split(" ")
        ),
      )
    ),
    selection: drawn(area, "selection"),
    cursor: drawn(area, "cursor"),
    dots: lines.map((line) =>
      drawn(area, line.getAttribute("class").replace("line", "dot"))
    ),
  };
}

function drawn(area, kind) {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("class", kind);
  area.append(path);
  return path;
}

function showCursors() {
  for (const figure of document.querySelectorAll(FIGURES)) {
    const chart = charts.get(figure);
    if (chart) showCursor(chart);
  }
}

/** The time under the cursor, and the values there beside their lines' names. */
function showCursor(chart) {
  const { readings, cursor, dots, heights } = chart;
  const at = pointAt(chart);
  const x = at === undefined ? "" : placeOf(chart, chart.times[at]);
  cursor.setAttribute("d", x && `M${x} 0V${chart.area.viewBox.baseVal.height}`);
  chart.when.textContent = at === undefined ? "" : chart.labels[at];
  readings.forEach((reading, i) => {
    const value = at === undefined ? null : chart.values[i][at];
    reading.textContent = value === null ? "" : `: ${value}`;
    const y = heights[i].get(x);
    dots[i].setAttribute("d", y === undefined ? "" : `M${x} ${y}h0`);
  });
}

/** The point next to the cursor; none where this chart has none that is near. */
function pointAt({ times }) {
  if (moment === undefined || times.length === 0) return;
  const at = nearest(times, moment);
  const step = (times[1] ?? 1) - (times[0] ?? 0);
  return Math.abs(times[at] - moment) > step / 2 ? undefined : at;
}

function nearest(times, t) {
  let at = 0;
  times.forEach((time, i) => {
    if (Math.abs(time - t) < Math.abs(times[at] - t)) at = i;
  });
  return at;
}

/** As the server rounds it. */
function placeOf({ area, span: [start, end] }, t) {
  const { width } = area.viewBox.baseVal;
  return String(Math.round((t - start) / (end - start) * width * 10) / 10);
}

function followPointer(chart) {
  const { area, selection, span: [start, end], times } = chart;
  let from;
  const select = (to) => {
    const [left, right] = [from, to].map((t) => placeOf(chart, t));
    const { height } = area.viewBox.baseVal;
    selection.setAttribute("d", `M${left} 0H${right}V${height}H${left}z`);
  };
  const timeAt = (event) => {
    const { left, width } = area.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    return start + Math.min(1, Math.max(0, share)) * (end - start);
  };
  const point = (t) => {
    moment = times[nearest(times, t)];
    showCursors();
  };
  const stop = () => {
    from = undefined;
    selection.setAttribute("d", "");
    chart.plot.classList.remove("selecting");
  };
  area.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    area.setPointerCapture(event.pointerId);
    from = timeAt(event);
    point(from);
    chart.plot.classList.add("selecting");
  });
  area.addEventListener("pointermove", (event) => {
    const t = timeAt(event);
    if (from !== undefined) select(t);
    point(t);
  });
  area.addEventListener("pointerup", (event) => {
    if (from === undefined) return;
    const [low, high] = [from, timeAt(event)].sort((a, b) => a - b);
    stop();
    const { width } = area.getBoundingClientRect();
    if ((high - low) / (end - start) * width >= SHORTEST) choose(low, high);
  });
  area.addEventListener("pointercancel", stop);
  area.addEventListener("pointerleave", (event) => {
    // A finger that is lifted leaves the cursor where it was.
    if (event.pointerType !== "mouse") return;
    moment = undefined;
    showCursors();
  });
}

function followKeys(chart) {
  const { plot, times, names, title } = chart;
  plot.tabIndex = 0;
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-label", `${title}: arrow keys move the cursor`);
  plot.addEventListener("keydown", (event) => {
    if (
      event.key === "Escape" && new URL(location.href).searchParams.has("t0")
    ) {
      choose();
      return;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || times.length === 0) return;
    event.preventDefault();
    const now = pointAt(chart) ?? -1;
    const at = Math.min(times.length - 1, Math.max(0, now + step));
    moment = times[at];
    showCursors();
    const values = names.map((name, i) =>
      `${name} ${chart.values[i][at] ?? "none"}`
    );
    document.getElementById("say").textContent = `${chart.labels[at]}: ${
      values.join(", ")
    }`;
  });
}

/** The part of the time is in the address, so that it can be sent to someone. */
function choose(from, to) {
  const url = new URL(location.href);
  if (from === undefined) {
    url.searchParams.delete("t0");
    url.searchParams.delete("t1");
  } else {
    url.searchParams.set("t0", String(Math.max(0, Math.floor(from))));
    url.searchParams.set("t1", String(Math.ceil(to)));
    url.hash = "time";
  }
  location.assign(url);
}
