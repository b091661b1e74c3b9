"""Sums of doubles without rounding, for any number of partitions in any order.

A double is a whole number times a power of two. Its bits are laid on a fixed grid of limbs, BITS each, from the least power that a double
can have; a sum adds limbs, which are whole numbers. With limbs of 20 bits, 2^27 rows a partition and 2^16 partitions stay below 2^63.
"""
from fractions import Fraction

import numpy as np

BITS = 20
LEAST = -1074  # the least power of two of a double
UNIT = Fraction(1, 2**-LEAST)


def of(values, places, count):
    """For each place the sum of its values, which must be finite and not negative: {limb: whole numbers, one for each place}."""
    values = np.asarray(values, dtype=np.float64)
    if not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError("a weight must be a finite number that is not negative")
    mantissa, exponent = np.frexp(values)
    whole = (mantissa * 2.0**53).astype(np.uint64)  # times 2^(exponent − 53)
    short = np.maximum(0, LEAST - (exponent - 53))  # subnormal numbers have zeros there
    shift = exponent - 53 - LEAST + short
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
    """Sums of sums: `places` has for each of them where its places go."""
    result = {}
    for one, place in zip(sums, places):
        for limb, values in one.items():
            into = result.setdefault(limb, np.zeros(count, dtype=np.int64))
            np.add.at(into, place, values)
    return result


def as_integers(sums, count):
    """Whole numbers of UNIT, one for each place."""
    total = np.zeros(count, dtype=object)
    for limb, values in sums.items():
        total = total + values.astype(object) * (1 << (BITS * limb))
    return total
