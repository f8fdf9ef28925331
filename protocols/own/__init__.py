"""One's own protocols: from the text of a file to a dialogue that is played like a built-in one."""
