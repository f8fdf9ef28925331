"""Runs given to others: as a data set of the Hugging Face hub, as CSV, as transcripts."""
