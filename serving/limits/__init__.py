"""How fast a remote model may be asked, and what is done when it refuses or fails."""
