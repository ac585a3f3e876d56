/**
 * What keeps the page up to date: it is fetched again every five seconds and put in place of the old one. Without scripts
 * the browser loads it anew.
 *
 * What a person has opened, scrolled or selected stays. When no answer comes the page says so in large letters: an old page
 * that looks like a new one is worse than none.
 */

/** From one fetch to the next, in seconds. */
export const REFRESH_S = 5;

/** The script, in ASCII. */
export const SCRIPT = `
(() => {
  "use strict";
  const live = document.getElementById("live");
  let timer = 0, answeredAt = Date.now();
  const say = (text, isLost) => {
    if (live.textContent !== text) live.textContent = text;
    live.className = isLost ? "lost" : "";
  };
  const byId = (id) => document.getElementById(id);
  const swap = (text) => {
    const next = new DOMParser().parseFromString(text, "text/html");
    const fresh = next.getElementById("page");
    const old = byId("page");
    if (fresh === null) throw new Error("this is no status page");
    if (fresh.dataset.version !== old.dataset.version) return location.reload();
    const kept = [...old.querySelectorAll("details[id]")].map((one) => [one.id, one.open]);
    const scrolled = [...old.querySelectorAll(".scroll[id]")].map((one) => [one.id, one.scrollLeft]);
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const focusId = focused?.closest("[id]")?.id;
    document.title = next.title;
    document.querySelector("link[rel=icon]").href = next.querySelector("link[rel=icon]").href;
    old.replaceWith(fresh);
    for (const [id, isOpen] of kept) if (byId(id)) byId(id).open = isOpen;
    for (const [id, left] of scrolled) if (byId(id)) byId(id).scrollLeft = left;
    const again = focusId && byId(focusId);
    if (again) (again.querySelector("summary") ?? again).focus({ preventScroll: true });
  };
  const refresh = async () => {
    clearTimeout(timer);
    if (document.hidden) return;
    try {
      const reply = await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(4000) });
      if (!reply.ok) throw new Error("it answers " + reply.status);
      const text = await reply.text();
      answeredAt = Date.now();
      if (String(getSelection()) === "") { swap(text); say("", false); }
      else say("Not refreshed while text is selected.", false);
    } catch (error) {
      const seconds = Math.round((Date.now() - answeredAt) / 1000);
      say("NO ANSWER from the agent for " + seconds + " s: what you see is old. " + error.message, true);
    }
    timer = setTimeout(refresh, ${REFRESH_S * 1_000});
  };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  timer = setTimeout(refresh, ${REFRESH_S * 1_000});
})();
`.trim();
