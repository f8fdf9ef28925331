"""What a Ray cluster has, against what an experiment needs: known before a debate starts."""
