"""Formula text to a syntax tree and back; nothing here knows what a name stands for."""
