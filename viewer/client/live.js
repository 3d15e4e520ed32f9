/** Follows a run that is going on: the page is what it would be if it were opened now. */

/** @param enhance does to a new part of the page what scripts do */
export function startLive(enhance, say) {
  const address = document.body.dataset.live;
  if (!address) return;
  const source = new EventSource(address);
  let busy = false;
  source.addEventListener("progress", async () => {
    if (busy) return;
    busy = true;
    const page = await fetched(location.href);
    busy = false;
    if (page) refresh(page, enhance);
  });
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
  source.addEventListener("error", () => {
    say("No connection to the viewer: the page shows the run as it was", true);
  });
  source.addEventListener("open", () => say(""));
  addEventListener("pagehide", () => source.close());
}

/** The page as it is now; undefined when it cannot be had. */
function fetched(address) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.responseType = "document";
    request.onload = () => resolve(request.response ?? undefined);
    request.onerror = () => resolve(undefined);
    request.open("GET", address);
    request.send();
  });
}

const PARTS = "#main > [id]";

function refresh(page, enhance) {
  const now = [...document.querySelectorAll(PARTS)];
  const next = [...page.querySelectorAll(PARTS)];
  if (next.length === 0) return replaceAll(page, enhance);
  const known = new Map(now.map((part) => [part.id, part]));
  for (const part of now) {
    if (!next.some(({ id }) => id === part.id)) part.remove();
  }
  next.forEach((part, index) => {
    const old = known.get(part.id);
    if (old && inUse(old)) return;
    const fresh = document.adoptNode(part);
    if (old) {
      keepOpen(old, fresh);
      old.replaceWith(fresh);
    } else {
      const before = document.getElementById(next[index - 1]?.id);
      if (before) before.after(fresh);
      else document.getElementById("main").append(fresh);
    }
    enhance(fresh);
  });
}

/** A page without parts of its own, such as the list of traces. */
function replaceAll(page, enhance) {
  const main = document.getElementById("main");
  if (
    main.contains(document.activeElement) && document.activeElement !== main
  ) return;
  main.replaceChildren(...page.getElementById("main").childNodes);
  enhance(main);
}

/** Whether someone reads, types into or marks a part: then it stays as it is. */
function inUse(part) {
  const { anchorNode, isCollapsed } = getSelection();
  return part.contains(document.activeElement) ||
    part.querySelector(".selecting") !== null ||
    !isCollapsed && part.contains(anchorNode);
}

/** Keeps unfolded what was unfolded. */
function keepOpen(old, fresh) {
  const all = [...fresh.querySelectorAll("details")];
  [...old.querySelectorAll("details")].forEach((each, index) => {
    if (all[index]) all[index].open = each.open;
  });
}
