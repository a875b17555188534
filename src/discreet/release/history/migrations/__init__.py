"""Alembic migrations, applied when the database is opened."""
