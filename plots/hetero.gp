# hetero.gp: what the figures of coarrays beside GPUs share: contention, pricing. See README.md.
#
# Transfers of all pairs of images at once, over bytes: any metric.
contended(column, v) = metric('coarrays_contention', 'bytes', column, "variant = '" . v \
    . "' AND pairs = (SELECT max(pairs) FROM coarrays_contention)")
contended_line(v) = int(word('1 5 2', place_in('caf-get sendrecv mpi-get', v)))
# Throughput of pricing in 10^9 random values per second: x, median, low and high of the rows that `where` names.
# @values_y is its axis.
value_rates = '1e-9 * mid, 1e-9 * low, 1e-9 * high'
values_y = "set ylabel '10^9 random values per second'; set yrange [0:*]"
option_values(columns, where) = pick('options, ' . columns, 'coarrays_option_rates', where)
option_rates(where) = option_values(value_rates, where)
# Numbers of CPU threads that a variant was measured with.
option_threads(v) = fetch("SELECT DISTINCT threads FROM coarrays_option_rates WHERE variant = '" . v . "' ORDER BY 1")
threads_title(n) = n . (n eq '1' ? ' thread' : ' threads')
