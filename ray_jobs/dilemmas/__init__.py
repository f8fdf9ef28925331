"""Dilemmas from dumps of Reddit: streams, filters, verdicts of comments, the choice of the most contested."""
