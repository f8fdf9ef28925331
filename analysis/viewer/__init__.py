"""The viewer of debates: a web application on this machine that reads the tables of runs.

It knows no models and no actors; what only they know of a run (`progress.Progress`) is handed in.

How a page is added:

1. A module with a function that takes a `pages.Visit` and returns a response. For a page of one run
   (its path begins with "/{run}") `visit.here` has `run`, its address; `index`, one row a debate
   (`index.rows(sql, given)` asks it, columns in `schema.py`); and `searches`. `visit.query` are the
   parameters, `visit.parameters` the names in braces of the path, `visit.form` what was posted. Rows with
   texts come from `reading.of_debate` and `reading.of_case`, a debate put together from `debate.read`;
   what is listed and in which order is a `filters.Wish`, asked by `listing`.
2. A template in `templates/` that begins with `{% extends visit.frame %}` and fills the blocks title,
   kind (a class of main) and main; shown by `visit.page("NAME.html.j2", **values)`. Macros that pages
   share are in `marks.html.j2`. Text of models goes through the filter `visible`, `line` (one line) or the
   macro `prose`; nothing is ever marked safe. There is neither inline style nor inline script: the policy
   of `guard.py` forbids both. Style is in `static/viewer.css`, a script of its own in `static/NAME.js`,
   loaded by the page with `<script src="/static/NAME.js" defer></script>` in its main block.
3. `PAGES = (Page(path, function, title),)` in the module, and `*module.PAGES` in `app.PAGES`. Pages with a
   title stand in the navigation. A page that changes something has `methods=("POST",)`; `guard.py` lets
   only forms of the viewer itself through.
4. Its tests ask it through `tests/analysis/viewer/client.py`.
"""
