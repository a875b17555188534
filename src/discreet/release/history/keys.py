"""Signatures under an export of the ledger: Ed25519, so that whoever has the public key can check and nobody else sign.

The private key lies in a file that only its owner can read (PEM, PKCS 8); the public key beside it (`.pub`, PEM) is to
be given away. Both are the usual formats: `openssl pkeyutl` and `openssl pkey` read them.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM = "Ed25519"
LONGEST = 1 << 14


def make_key(path: Path) -> Path:
    """A new key at `path`, for its owner alone, and the public one beside it, whose place is returned."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    beside = path.with_name(path.name + ".pub")
    try:
        _write(beside, public_text(key.public_key()).encode(), 0o644)
        _write(path, secret, 0o600)
    except OSError as error:
        raise InputError(f"the key {path} cannot be made: {error.strerror}") from None
    return beside


def read_key(path: Path) -> Ed25519PrivateKey:
    """The private key in a file; one that others can read is refused."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    text = _read(path)
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise InputError(f"the key {path} can be read by others: chmod 600 {path}")
    key: Any = None
    with suppress(ValueError, TypeError):
        key = load_pem_private_key(text, None)
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{path} holds no private Ed25519 key without a password (PEM)")
    return key


def read_public(path: Path) -> Ed25519PublicKey:
    """The public key in a file."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key: Any = None
    with suppress(ValueError):
        key = load_pem_public_key(_read(path))
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"{path} holds no public Ed25519 key (PEM)")
    return key


def public_text(key: Ed25519PublicKey) -> str:
    from cryptography.hazmat.primitives import serialization

    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def signed_by(key: Ed25519PublicKey, signature: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LONGEST)
    except OSError as error:
        raise InputError(f"the key {path} cannot be read: {error.strerror}") from None


def _write(path: Path, content: bytes, mode: int) -> None:
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "wb") as file:
        file.write(content)
