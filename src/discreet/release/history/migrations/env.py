"""Runs the migrations on the connection that `database.py` hands over."""

from __future__ import annotations

from alembic import context

from discreet.release.history.models import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
