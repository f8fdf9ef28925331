"""Does a result come back? Repetitions of one design, each fitted alone, against each other and the paper."""
