"""Files whose values were perturbed: what they still tell is measured; nothing about them is proven."""
