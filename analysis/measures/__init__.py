"""The measures of verdicts: what a study of protocols tells of its debates, each with its definition."""
