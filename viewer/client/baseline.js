/**
 * A run that others of its flow are compared with. The store is only read, so
 * the choice is kept in this browser.
 */
const keyOf = (flow) => `bench-baseline:${flow}`;

export function startBaseline() {
  const button = document.getElementById("baseline");
  if (button) onRun(button);
  for (const box of document.querySelectorAll('input[name="run"]')) mark(box);
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
function mark(box) {
  const { flow } = box.dataset;
  if (localStorage.getItem(keyOf(flow)) !== box.value) return;
  const sign = document.createElement("span");
  sign.className = "more";
  sign.textContent = " baseline";
  box.closest("tr").querySelector("th").append(sign);
}
