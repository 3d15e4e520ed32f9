/** What every page does once scripts run; pages are whole without it. */
import { startBaseline } from "./baseline.js";
import { startCharts } from "./charts.js";
import { startHeatMaps } from "./heat.js";
import { startKeys } from "./keys.js";
import { startLive } from "./live.js";
import { startSpans } from "./spans.js";

const say = (text) => {
  document.getElementById("say").textContent = text;
  if (text) setTimeout(() => say(""), 4000);
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

/** What scripts do to the page, and to a part of it that took the place of another. */
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
startLive(enhance);
