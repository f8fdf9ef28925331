// Pages work without it. It fetches pieces that take long, and knows the keys.
"use strict";

async function fill(place, address) {
  const answer = await fetch(address + (address.includes("?") ? "&" : "?") + "piece=1", { credentials: "same-origin" });
  place.innerHTML = await answer.text();
  const again = place.querySelector("[data-again]");
  if (again) setTimeout(() => fill(place, address), 1000 * Number(again.dataset.again));
}

for (const place of document.querySelectorAll("section[data-piece]")) fill(place, place.dataset.piece);

document.addEventListener("toggle", (event) => {
  const folded = event.target;
  if (!folded.open || !folded.dataset.piece || folded.dataset.filled) return;
  folded.dataset.filled = "yes";
  fill(folded.querySelector("p"), folded.dataset.piece);
}, true);

for (const folded of document.querySelectorAll("[data-narrow-closed]"))
  if (matchMedia("(max-width: 62rem)").matches) folded.open = false;

let at = -1;
function nextChange(step) {
  const changes = [...document.querySelectorAll("[data-change]")];
  if (!changes.length) return;
  at = (at + step + changes.length) % changes.length;
  changes[at].scrollIntoView({ block: "center" });
  changes[at].focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-next-change]")) nextChange(1);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (event.key === "c") nextChange(1);
  else if (event.key === "C") nextChange(-1);
  else document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
