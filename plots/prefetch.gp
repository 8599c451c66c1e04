# prefetch.gp: what the figures of loops with prefetching share. See README.md.
#
# Medians over a sweep (lengths, sizes, all_blocks): shares of the accesses that do not block, and waits in µs: of the
# `first` iteration, or the `mean`.
hits(sweep, x, where) = judged('prefetch_' . sweep, x, "quantity = 'hits' AND " . where)
waits(sweep, x, quantity, where) = pick(x . ', 1e6 * mid, 1e6 * low, 1e6 * high', 'prefetch_' . sweep, \
    "quantity = '" . quantity . "' AND " . where)
of_variant(v) = "variant = '" . v . "'"
