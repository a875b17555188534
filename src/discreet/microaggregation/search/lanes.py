"""Squared distance of two rows, four coordinates at a time: the innermost loop of every search.

numba keeps to the order in which sums are written, so its compiler would add up one coordinate after another. Here the
sum runs in four lanes that are added at the end as (s₀ + s₁) + (s₂ + s₃). The order is part of the code: the result is
the same to the last bit on every processor, with or without vector instructions.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def distance_in_lanes(typing_context: Any, a: Any, i: Any, b: Any, j: Any) -> Any:
    """Squared distance of row i of `a` and row j of `b`: C-contiguous arrays with a multiple of four columns."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = ir.VectorType(ir.DoubleType(), 4)
        first, i, second, j = arguments
        rows = []
        width = None
        for kind, value, row in ((signature.args[0], first, i), (signature.args[2], second, j)):
            array = context.make_array(kind)(context, builder, value)
            width = cgutils.unpack_tuple(builder, array.shape)[1]
            rows.append(builder.gep(array.data, [builder.mul(row, width)]))
        assert width is not None
        total = cgutils.alloca_once_value(builder, ir.Constant(lanes, [0.0] * 4))
        with cgutils.for_range_slice(builder, width.type(0), width, width.type(4), inc=True) as (l, _):
            x, y = (builder.load(builder.bitcast(builder.gep(row, [l]), lanes.as_pointer()), align=8) for row in rows)
            difference = builder.fsub(x, y)
            builder.store(builder.fadd(builder.load(total), builder.fmul(difference, difference)), total)
        s = [builder.extract_element(builder.load(total), ir.Constant(ir.IntType(32), e)) for e in range(4)]
        return builder.fadd(builder.fadd(s[0], s[1]), builder.fadd(s[2], s[3]))

    return types.float64(a, types.intp, b, types.intp), build
