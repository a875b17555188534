"""Certificates of microaggregations, checked again: nothing in their files is believed."""

from discreet.verify.certificates.check import verify_certificate, verify_certificate_file

__all__ = ["verify_certificate", "verify_certificate_file"]
