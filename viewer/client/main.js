/** The script of every page; pages are whole without it. */
import { startCharts } from "./charts.js";
import { startKeys } from "./keys.js";
import { startLive } from "./live.js";

let saying;
/** Says something for a while, or until something else is said. */
const say = (text, stays) => {
  clearTimeout(saying);
  const place = document.getElementById("say");
  // Said again, it would be read out again.
  if (place.textContent !== text) place.textContent = text;
  if (text && !stays) saying = setTimeout(() => say(""), 4000);
};

const THEMES = ["system", "light", "dark"];

function applyTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function startTheme() {
  const button = document.getElementById("theme");
  const read = () => localStorage.getItem("bench-theme") ?? "system";
  const show = () => {
    applyTheme(read());
    button.textContent = `Theme: ${read()}`;
  };
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(read()) + 1) % THEMES.length];
    localStorage.setItem("bench-theme", next);
    show();
    say(`Theme: ${next}`);
  });
}

function startTimes(root) {
  const form = new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: "medium",
  });
  for (const time of root.querySelectorAll("time")) {
    const at = Date.parse(time.dateTime);
    if (!Number.isNaN(at)) time.textContent = form.format(at);
  }
}

function startCopying(root) {
  for (const button of root.querySelectorAll("button.copy")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = "copyAddress" in button.dataset
        ? location.href
        : button.parentElement.querySelector("pre").textContent;
      await navigator.clipboard.writeText(text).then(
        () => say("Copied"),
        () => say("The browser did not allow copying"),
      );
    });
  }
}

/** Two runs can be compared, no more. */
function startTicks() {
  const note = document.getElementById("ticked");
  if (!note) return;
  const boxes = [...document.querySelectorAll('input[name="run"]')];
  const show = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    note.textContent = ticked === 0 ? "" : `${ticked} ticked`;
    for (const box of boxes) box.disabled = ticked >= 2 && !box.checked;
  };
  for (const box of boxes) box.addEventListener("change", show);
  show();
}

/**
 * A run that others of its flow are compared with. The store is only read, so
 * the choice is kept in this browser.
 */
const keyOf = (flow) => `bench-baseline:${flow}`;

function startBaseline() {
  const button = document.getElementById("baseline");
  if (button) onRun(button);
  for (const box of document.querySelectorAll('input[name="run"]')) {
    markBaseline(box);
  }
}

function onRun(button) {
  const link = document.getElementById("to-baseline");
  const { flow, run } = button.dataset;
  const show = () => {
    const baseline = localStorage.getItem(keyOf(flow));
    const own = baseline === run;
    button.textContent = own
      ? "No longer the baseline"
      : "Make it the baseline";
    button.hidden = false;
    link.hidden = baseline === null || own;
    link.href = `/compare?${new URLSearchParams({
      a: baseline ?? "",
      b: run,
    })}`;
  };
  button.addEventListener("click", () => {
    const key = keyOf(flow);
    if (localStorage.getItem(key) === run) localStorage.removeItem(key);
    else localStorage.setItem(key, run);
    show();
  });
  show();
}

/** In the list of runs. */
function markBaseline(box) {
  const { flow } = box.dataset;
  if (localStorage.getItem(keyOf(flow)) !== box.value) return;
  const sign = document.createElement("span");
  sign.className = "more";
  sign.textContent = " baseline";
  box.closest("tr").querySelector("th").append(sign);
}

/** The cells of a heat map that are links are one stop of the Tab key; arrows lead on. */
function startHeatMaps(root) {
  for (const area of root.querySelectorAll(".heat svg.area")) {
    const cells = [...area.querySelectorAll("a")];
    const places = cells.map((cell) => cell.getBBox());
    const enter = (index) => {
      cells.forEach((cell, i) =>
        cell.setAttribute("tabindex", i - index && -1)
      );
      return cells[index];
    };
    if (cells.length > 0) enter(0);
    area.addEventListener("keydown", (event) => {
      const [right, down] = ARROWS[event.key] ?? [];
      const from = places[cells.indexOf(document.activeElement)];
      if (right === undefined || !from) return;
      event.preventDefault();
      // The nearest one in that direction; what lies aside counts more.
      let next = -1;
      let nearest = Infinity;
      places.forEach(({ x, y }, i) => {
        const [across, up] = [x - from.x, y - from.y];
        const ahead = across * right + up * down;
        const aside = Math.abs(across * down) + Math.abs(up * right);
        if (ahead <= 0 || ahead + 8 * aside >= nearest) return;
        nearest = ahead + 8 * aside;
        next = i;
      });
      if (next >= 0) enter(next).focus();
    });
  }
}

const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Shows the title of a part of a picture to who reaches it with the keyboard; the
 * pointer has a tooltip. Screen readers read the title itself.
 */
function startTitles() {
  const shown = document.createElement("p");
  shown.className = "live";
  shown.id = "titled";
  shown.ariaHidden = "true";
  document.body.append(shown);
  const show = () => {
    const title = document.querySelector("svg a:focus-visible title");
    shown.textContent = title?.textContent ?? "";
  };
  document.addEventListener("focusin", show);
  document.addEventListener("focusout", () => shown.textContent = "");
}

/** A link to a span unfolds it. */
function startSpans() {
  const open = () => {
    const span = location.hash.startsWith("#span-") &&
      document.getElementById(location.hash.slice(1));
    if (span instanceof HTMLDetailsElement) span.open = true;
  };
  addEventListener("hashchange", open);
  open();
}

/** Adds to a page, or to a part that took the place of another, what needs scripts. */
function enhance(root) {
  startCharts(root);
  startTimes(root);
  startCopying(root);
  startHeatMaps(root);
}

enhance(document);
startTheme();
startTicks();
startBaseline();
startKeys();
startSpans();
startTitles();
startLive(enhance, say);
