"""The report of a run: one page of HTML, its figures as SVG and its tables as CSV and LaTeX."""
