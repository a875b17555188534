"""What the pages show, as plain values for the templates. Analysts get nothing but what is released."""
