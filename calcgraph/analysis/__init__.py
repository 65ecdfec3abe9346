"""Questions asked of an evaluation; one question a file."""
