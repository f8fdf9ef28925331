"""Runs that others have published, read into the tables of a run."""
