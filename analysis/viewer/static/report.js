// Numbers of a report lead to the debates that they are of.
"use strict";

const debates = document.currentScript.dataset.debates;

for (const cell of document.querySelectorAll("td[data-behind]")) {
  const number = cell.firstChild;
  if (!number || !/\d/.test(number.textContent) || !cell.dataset.behind.startsWith("?")) continue;
  const link = document.createElement("a");
  link.href = debates + cell.dataset.behind;
  number.replaceWith(link);
  link.append(number);
}
