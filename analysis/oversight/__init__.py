"""The measures of oversight studies: how well judges find the right answer, and how consultants help."""
