"""Text to tokens, and whatever else is known of a language."""
