"""Commands in which an option has one value or is an error.

Of two values one would be silently ignored, and an empty one may be taken for none.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand


class Strict(TyperCommand):
    """A command that refuses empty values, and a second value of an option that takes one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # The parser is asked twice: the order of what it found is not passed on.
        given, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter in dict.fromkeys(order):
            values = given.get(parameter.name)
            if "" in (values if isinstance(values, list | tuple) else (values,)):
                ctx.fail(f"{(parameter.opts or [parameter.name])[0]} is empty: give a value or leave it out")
        for parameter, times in Counter(order).items():
            single = parameter.param_type_name == "option" and not getattr(parameter, "multiple", False)
            if times > 1 and single and not getattr(parameter, "is_flag", False):
                ctx.fail(f"{parameter.opts[0]} is given {times} times: give it once")
        return super().parse_args(ctx, args)
