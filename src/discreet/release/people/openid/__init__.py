"""Signing in at an office's own service (OpenID Connect, authorization code flow with PKCE)."""
