"""The laws of the dialogue, for protocols of the house and of one's own: how they are tried, and told."""
