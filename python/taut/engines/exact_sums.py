"""Sums of doubles without rounding, for any number of partitions in any order.

A double is a whole number times a power of two. Its bits are split into limbs of BITS bits on a fixed grid, which starts at the smallest power of
a double. Sums add limbs, which are whole numbers. With limbs of 20 bits, 2^27 rows per partition and 2^16 partitions stay below 2^63.
"""
from fractions import Fraction

import numpy as np

BITS = 20
MIN_EXPONENT = -1074  # of the smallest positive double
UNIT = Fraction(1, 2**-MIN_EXPONENT)


def of(values, places, count):
    """The sums of `values` by place, as {limb: whole numbers, one for each place}. Values must be finite and not negative."""
    values = np.asarray(values, dtype=np.float64)
    if not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError("a weight must be a finite number that is not negative")
    mantissa, exponent = np.frexp(values)
    whole = (mantissa * 2.0**53).astype(np.uint64)  # times 2^(exponent − 53)
    short = np.maximum(0, MIN_EXPONENT - (exponent - 53))  # subnormal numbers have zeros there
    shift = exponent - 53 - MIN_EXPONENT + short
    whole >>= short.astype(np.uint64)
    limb, within = np.divmod(shift, BITS)
    result = {}
    mask = np.uint64((1 << BITS) - 1)
    part = ((whole & mask) << within.astype(np.uint64))  # the lowest BITS bits of the mantissa reach into two limbs
    for step in range(4):
        for offset, piece in ((0, part & mask), (1, part >> np.uint64(BITS))):
            for one in np.unique(limb[piece > 0]):
                here = (limb == one) & (piece > 0)
                sums = np.bincount(places[here], weights=piece[here].astype(np.float64), minlength=count).astype(np.int64)
                key = int(one) + step + offset
                result[key] = result[key] + sums if key in result else sums
        whole >>= np.uint64(BITS)
        part = (whole & mask) << within.astype(np.uint64)
    return result


def merged(sums, places, count):
    """Adds several sums. `places` has for each of them an array with the new place of each of its places."""
    result = {}
    for one, place in zip(sums, places):
        for limb, values in one.items():
            into = result.setdefault(limb, np.zeros(count, dtype=np.int64))
            np.add.at(into, place, values)
    return result


def as_integers(sums, count):
    """The sums as whole multiples of UNIT, one for each place."""
    total = np.zeros(count, dtype=object)
    for limb, values in sums.items():
        total = total + values.astype(object) * (1 << (BITS * limb))
    return total
