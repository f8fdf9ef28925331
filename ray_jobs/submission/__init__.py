"""Experiments as Ray jobs: what is sent, how it is followed, and when it is submitted again."""
