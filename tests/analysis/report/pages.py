"""Pages read back: what a browser would find in them."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}
REFERRING = {"href", "src", "srcset", "action", "data", "poster", "xlink:href"}


class Page(HTMLParser):
    """A page: its text, its links, the ids that they may lead to. Every element that is begun is ended."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self._said: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == [], f"never ended: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self._meet(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._meet(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> ends nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self._said.append(data)

    @property
    def text(self) -> str:
        """All that it says, in one line."""
        return " ".join("".join(self._said).split())

    def _meet(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.links += [value or "" for name, value in attrs if name in REFERRING]
        self.ids += [value or "" for name, value in attrs if name == "id"]
