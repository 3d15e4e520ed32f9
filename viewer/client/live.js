/** Follows a run that is going on, and shows its figures when it has ended. */
export function startLive() {
  const address = document.body.dataset.live;
  if (!address) return;
  const why = document.querySelector(".banner .why");
  const source = new EventSource(address);
  source.addEventListener("progress", (event) => {
    const { elapsed_ms, traces, not_passed } = JSON.parse(event.data);
    if (!why) return;
    why.textContent =
      `The run is going on for ${Math.round(elapsed_ms / 1000)}s` +
      (traces > 0
        ? `; ${traces} traces are kept, ${not_passed} of them did not pass.`
        : ".");
  });
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
  addEventListener("pagehide", () => source.close());
}
