"""The measures of oversight studies: how well judges find the right answer, and what consultants do for it."""
