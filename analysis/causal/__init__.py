"""What designed arms identify that observing debates cannot: inertia alone, conformity by randomisation."""
