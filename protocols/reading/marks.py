"""The marks that may stand around a label: Markdown, LaTeX, HTML, tables, brackets, quotation marks.

Every pattern here is possessive where it repeats, so none can backtrack; strike-through is no mark, for what
is struck out is not said. A tag may hold the very words that are looked for, so a run of tags may be gone
through from within each of them; a run ends after so many of them, which keeps reading linear.
"""

_MOST_TAGS = 20


def run(mark: str, tag: str) -> str:
    """The pattern of any number of marks with at most `_MOST_TAGS` tags among them; tags go before marks."""
    marks = rf"(?:(?!{tag})(?:{mark}))*+"
    return rf"(?:{marks}(?:{tag})){{0,{_MOST_TAGS}}}+{marks}"


LATEX = r"\\{1,2}(?:boxed|fbox|text(?:bf|it|rm|sf|tt)?|math(?:bf|it|rm|sf)|emph|underline|bf|rm)[ \t]*+\{"
TAG = r"</?(?:b|strong|em|i|u|p|br|span|mark|code|h[1-6]|t[drh]|li|center)\b[^<>]{0,60}>"
BULLET = r"(?:[-+•·–—]|\#{1,6})(?=[ \t])"
OPENING = run(rf"{LATEX}|\\[(\[]|{BULLET}|[\s*_`\"“”„«»'(\[{{$|<:]", TAG)
CLOSING = run(r"\\[)\]]|[ \t*_`\"“”«»')\]}$>]", rf"{TAG}|</\w{{1,20}}>")
