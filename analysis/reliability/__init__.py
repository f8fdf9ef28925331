"""How far labels can be relied on: a judge against itself, against other judges and against people."""
