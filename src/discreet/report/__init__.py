"""HTML reports and notebook representations, made from results alone."""

from discreet.report.html import fragment, page, write_report, write_reports

__all__ = ["fragment", "page", "write_report", "write_reports"]
