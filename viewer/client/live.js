/** Follows a run that is going on, and shows its figures when it has ended. */
export function startLive() {
  const address = document.body.dataset.live;
  if (!address) return;
  const why = document.querySelector(".banner .why");
  const source = new EventSource(address);
  source.addEventListener("progress", (event) => {
    const { elapsed_ms, iterations, requests, error_rate, throttle_rate } = JSON
      .parse(event.data);
    const share = (value) => `${+(value * 100).toFixed(2)}%`;
    figures({
      error_rate: share(error_rate),
      throttle_rate: share(throttle_rate),
      iterations: iterations?.completed.toLocaleString("en-US"),
      requests: requests?.toLocaleString("en-US"),
      duration: `${Math.round(elapsed_ms / 1000)}s`,
    });
    if (!why) return;
    why.textContent =
      `The run is going on for ${Math.round(elapsed_ms / 1000)}s` +
      (iterations?.completed > 0
        ? `: ${iterations.completed.toLocaleString("en-US")} iterations, ${
          requests.toLocaleString("en-US")
        } requests, error_rate ${share(error_rate)}, throttle_rate ${
          share(throttle_rate)
        }.`
        : ".");
  });
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
  addEventListener("pagehide", () => source.close());
}

/** What stood beside a figure was true of the one before. */
function figures(values) {
  for (const [name, text] of Object.entries(values)) {
    const figure = document.querySelector(`[data-figure="${name}"]`);
    if (!figure || text === undefined) continue;
    figure.querySelector(".value").textContent = text;
    if (name !== "duration") figure.querySelector(".more")?.remove();
  }
}
