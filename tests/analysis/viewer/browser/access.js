// What stands in the way of a reader: texts too pale to read, controls without a name, pages wider than the window.
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, n) => part * a + below[n] * (1 - a));
  const behind = (element) => {
    const found = [];
    for (let at = element; at; at = at.parentElement) found.push(rgba(getComputedStyle(at).backgroundColor));
    return found.reverse().reduce((below, colour) => over(colour, below), rgba("canvas").slice(0, 3));
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const visible = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".hid, .skip");

  const pale = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !visible(element) || element.closest("svg, option, meter")) continue;
    const style = getComputedStyle(element), below = behind(element);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = contrast(over(rgba(style.color), below), below);
    if (found < (large ? 3 : 4.5)) pale.add(`${element.tagName}.${element.className}: ${found.toFixed(2)}`);
  }
  const words = (element) => [
    element.getAttribute("aria-label"),
    ...(element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent),
    ...[...(element.labels ?? [])].map((label) => label.textContent),
    element.textContent,
  ].join("").trim();
  const controls = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, [tabindex], meter")];
  const nameless = controls.filter((each) => visible(each) && !words(each)).map((each) => each.outerHTML.slice(0, 120));
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const headings = document.querySelectorAll("h1, h2").length ? [] : ["no heading"];
  return { pale: [...pale], nameless, wide, headings };
}
