"""The methods that freeform generalization is measured against."""
