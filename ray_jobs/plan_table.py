"""`moot plan`: what an experiment will play and take, printed before anything starts."""
