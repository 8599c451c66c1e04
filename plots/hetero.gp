# hetero.gp: what the figures of coarrays beside GPUs share: contention, pricing. See README.md.
#
# Transfers of all pairs of images at once, over bytes: any metric.
contended(column, v) = metric('coarrays_contention', 'bytes', column, "variant = '" . v \
    . "' AND pairs = (SELECT max(pairs) FROM coarrays_contention)")
contended_line(v) = int(word('1 5 2', place_in('caf-get sendrecv mpi-get', v)))
# Throughput of pricing in 10^9 random values per second: x, median, low and high of the rows that `where` names.
# @values_y is its axis.
value_rates = rated('1e-9 * throughput_values')
values_y = "set ylabel '10^9 random values per second'; set yrange [0:*]"
option_values(columns, where) = pick('options, ' . columns, 'coarrays_options_median', where)
option_rates(where) = option_values(value_rates, where)
# Numbers of CPU threads that a variant was measured with.
option_threads(v) = fetch("SELECT DISTINCT threads FROM coarrays_options_median WHERE variant = '" . v . "' ORDER BY 1")
threads_title(n) = n . (n eq '1' ? ' thread' : ' threads')
# Busy threads over queued options beside their limit, and throughput, by number of threads; wants the variant `v` and
# `limit` in SQL.
with_threads(n) = "variant = '" . v . "' AND threads = " . n
occupancy = two_panels . "; counts = option_threads(v); set logscale xy 2; set xlabel 'queued options';set ylabel " \
    . "'busy threads'; set title v . ': threads with an option'; plot for [n in counts] option_values(limit, " \
    . "with_threads(n)) with lines linestyle 8 title n eq word(counts, 1) ? 'limit' : '',for [i = 1:words(counts)] " \
    . "option_values('busy_threads', with_threads(word(counts, i))) with points linestyle i title " \
    . "threads_title(word(counts, i)); unset ylabel; set title '10^9 random values per second';plot for [i = " \
    . "1:words(counts)] option_rates(with_threads(word(counts, i))) with yerrorlines linestyle i title ''"
# Bars of the list `versions` (a variant and its progress each) by hosts, with the best number of options per request;
# and their limit. Without the long run, in which nobody waits at the end.
pricing_bars(version) = pick('place, 1e-9 * max(throughput_values), 1e-9 * throughput_values * time_s / time_high_s, ' \
    . '1e-9 * throughput_values * time_s / time_low_s', '(SELECT *, dense_rank() OVER (ORDER BY nodes) AS place FROM ' \
    . '' . all . ')', sprintf("variant = '%s' AND progress LIKE '%s' GROUP BY place", word(version, 1), word(version, \
    2)))
version_title(version) = word(version, 1) . (word(version, 2) eq '%' ? '' : ', ' . word(version, 2))
version_line(version) = word(version, 1) eq 'mpi-mt' ? 5 : (word(version, 1) eq 'caf-mth' ? 3 : 1) + int(word('0 1 5', \
    place_in('manual thread none', word(version, 2))))
pricing_picture = "all = runs('coarrays_pricing'); all = '(SELECT * FROM ' . all . ' WHERE options = (SELECT " \
    . "min(options) FROM ' . all . '))'; groups = fetch(\"SELECT DISTINCT iif(nodes = 1, '''one host''', '''' || " \
    . "nodes || ' hosts (TCP)''') FROM \" . all . ' ORDER BY nodes');" . groups_x . ";" . values_y \
    . "; plot for [i = 1:words(versions)] pricing_bars(word(versions, i)) using (bar($1, i, " \
    . "words(versions))):2:3:4:(bar_width(words(versions))) with boxerrorbars linestyle version_line(word(versions, " \
    . "i)) title version_title(word(versions, i)), q('SELECT dense_rank() OVER (ORDER BY nodes) - 0.45, 1e-9 * " \
    . "max(maximum_values) FROM ' . all . ' GROUP BY nodes') using 1:2:(0.9):(0) with vectors nohead linestyle 8 " \
    . "title 'limit: sum of the devices alone'"
