"""What designed arms identify that observing debates cannot: inertia alone, and conformity by randomisation."""
