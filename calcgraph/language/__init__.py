"""Formula text to a syntax tree and back; names are not resolved here."""
