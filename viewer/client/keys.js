/** Single keys (WCAG 2.1.4: they can be switched off on the help page). */
export function startKeys() {
  const off = document.getElementById("keys-off");
  if (off) {
    off.checked = localStorage.getItem("bench-keys") === "off";
    off.addEventListener(
      "change",
      () => localStorage.setItem("bench-keys", off.checked ? "off" : "on"),
    );
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest("input, select, textarea");
    if (field) {
      if (event.key === "Escape") field.blur();
      return;
    }
    if (localStorage.getItem("bench-keys") === "off") return;
    if (obey(event.key)) event.preventDefault();
  });
}

function obey(key) {
  if (key === "/") return focus("q");
  if (key === "t") return press(document.getElementById("theme"));
  if (key === "j") return row(1);
  if (key === "k") return row(-1);
  if (key === "f") return failures();
  // The tabs of a run come before the site's own links.
  for (const place of [".tabs", "main", ".top"]) {
    const links = [...document.querySelectorAll(`${place} [data-key]`)];
    if (press(links.find((link) => link.dataset.key === key))) return true;
  }
  return false;
}

function focus(id) {
  const field = document.getElementById(id);
  field?.focus();
  return Boolean(field);
}

function press(element) {
  element?.click();
  return Boolean(element);
}

function row(step) {
  const links = [...document.querySelectorAll(
    "main a.row, main summary.row",
  )];
  if (links.length === 0) return false;
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step;
  links[Math.min(links.length - 1, Math.max(0, next))].focus();
  return true;
}

function failures() {
  const run = /^\/runs\/[^/]+/.exec(location.pathname);
  if (!run) return false;
  location.assign(`${run[0]}/traces?outcome=failed`);
  return true;
}
