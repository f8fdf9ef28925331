// Values are found and ticked by keyboard. Without it they are ticked as in any form.
const form = document.querySelector("form[data-most]");
const find = form.querySelector("#find");
const told = form.querySelector("[data-told]");
const ticks = [...form.querySelectorAll(".tick")];
const box = (tick) => tick.querySelector("input");
const none = box(ticks[0]);
const most = Number(form.dataset.most);
let at = null;

const name = (tick) => tick.querySelector("b").textContent;
const chosen = () => ticks.filter((tick) => box(tick).checked);
const shown = () => ticks.filter((tick) => !tick.hidden);

function tell(before = "") {
  const names = chosen().map(name);
  told.textContent = before + (names.length ? `${names.join(", ")} (${names.length} of ${most})` : "Nothing is ticked yet.");
}

function point(tick) {
  at?.classList.remove("at");
  at = tick ?? null;
  at?.classList.add("at");
  at?.scrollIntoView({ block: "nearest" });
}

function narrow() {
  const words = find.value.trim().toLowerCase();
  for (const tick of ticks) tick.hidden = !tick.textContent.toLowerCase().includes(words);
  const begins = shown().find((tick) => name(tick).toLowerCase().startsWith(words));
  point(words ? (begins ?? shown()[0]) : null);
  if (words) told.textContent = at ? `${name(at)}, ${shown().length} found` : `No value has “${find.value.trim()}”.`;
  else tell();
}

function changed(tick) {
  if (box(tick).checked) {
    for (const other of chosen()) if ((other === ticks[0]) !== (tick === ticks[0])) box(other).checked = false;
    if (chosen().length > most) {
      box(tick).checked = false;
      return tell(`Up to ${most} values; ${name(tick)} is not ticked. `);
    }
  }
  tell();
}

form.addEventListener("change", (event) => changed(event.target.closest(".tick")));
form.addEventListener("submit", (event) => {
  if (chosen().length || event.submitter?.name === "clear") return;
  event.preventDefault();
  tell("Tick at least one. ");
});
find.addEventListener("input", narrow);
find.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const all = shown();
    point(all[(all.indexOf(at) + step + all.length) % all.length]);
    if (at) told.textContent = `${name(at)}${box(at).checked ? ", ticked" : ""}`;
  } else if (event.key === "Enter" && at) {
    const tick = at;
    box(tick).checked = !box(tick).checked;
    find.value = "";
    narrow();
    changed(tick);
  } else if (event.key === "Enter") {
    form.requestSubmit(form.querySelector("button:not([name])"));
  } else if (event.key === "Escape") {
    find.value = "";
    narrow();
  } else return;
  event.preventDefault();
});

find.parentElement.hidden = false;
find.focus({ preventScroll: true });
tell();
