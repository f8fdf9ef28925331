"""Values in the explanations of turns: labels read back, joined to turns, and what is measured with them."""
