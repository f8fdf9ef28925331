"""The marks that may stand around a label: Markdown, LaTeX, HTML, tables, brackets, quotation marks.

Every pattern here is possessive where it repeats, so none can backtrack; strike-through is no mark, for what
is struck out is not said.
"""

LATEX = r"\\{1,2}(?:boxed|fbox|text(?:bf|it|rm|sf|tt)?|math(?:bf|it|rm|sf)|emph|underline|bf|rm)[ \t]*+\{"
TAG = r"</?(?:b|strong|em|i|u|p|br|span|mark|code|h[1-6]|t[drh]|li|center)\b[^<>]{0,60}>"
BULLET = r"(?:[-+•·–—]|\#{1,6})(?=[ \t])"
OPENING = rf"(?:{LATEX}|\\[(\[]|{TAG}|{BULLET}|[\s*_`\"“”„«»'(\[{{$|<:])*+"
CLOSING = rf"(?:\\[)\]]|{TAG}|</\w{{1,20}}>|[ \t*_`\"“”«»')\]}}$>])*+"
