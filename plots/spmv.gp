# spmv.gp: what the figures of sparse products share. See README.md.
#
# A format looks the same in every figure: its line style stands at its place in the list; dashed are those of cuSPARSE.
# A variant is a format with -cpu or -gpu, or one of cuSPARSE.
formats = 'csr hll hlg ell elg hyb coo csc copy cusparse-csr1 cusparse-csr2 cusparse-sell cusparse-coo'
format_lines = '1 2 2 3 4 5 6 7 8 21 27 22 26'
format_name(v) = v[1:8] eq 'cusparse' ? v : v[1:strlen(v)-4]
format_line(v) = int(word(format_lines, place_in(formats, format_name(v))))
format_title(v) = format_name(v) eq 'copy' ? 'limit: copy' : format_name(v)
rows_x = counts_x . "; set xlabel 'rows'"

# How an algorithm shares the rows. `experiment` is one of spmv_hybrid; accurate(e) and coarse(e) are the numbers of
# samples that its models had; times are those with most threads.
algorithms = 'linear iterative hybrid cpu gpu'
algorithm_line(v) = int(word('1 2 3 25 27', place_in(algorithms, v)))
accurate(e) = int(number('SELECT coalesce(max(points), 0) FROM ' . e . '_median'))
coarse(e) = int(number('SELECT coalesce(min(points), 0) FROM ' . e . '_median WHERE points > 0'))
most_threads(e) = 'threads = (SELECT max(threads) FROM ' . e . '_median'
shared_by(e, v, points) = sprintf("variant = '%s' AND points IN (0, %d) AND ", v, points) . most_threads(e) \
    . " WHERE variant = '" . v . "')"
beside_fastest(e, points) = e . '_median JOIN (SELECT rows, min(time_s) AS least_s FROM ' . e \
    . sprintf('_median WHERE points = %d AND ', points) . most_threads(e) . ') GROUP BY rows) USING (rows)'
over_fastest(e, v, points) = pick('rows, time_s / least_s, time_low_s / least_s, time_high_s / least_s', \
    beside_fastest(e, points), shared_by(e, v, points))
hybrid_times = two_panels . "; set key maxrows 1;" . rows_x . "; set ylabel 'time of a product';" . seconds_y \
    . "; set logscale y; plot for [v in algorithms] series(experiment, 'rows', shared_by(experiment, v, points)) " \
    . "with yerrorlines linestyle algorithm_line(v) title v eq 'cpu' || v eq 'gpu' ? v . ' alone' : v;unset logscale " \
    . "y; set format y '%g'; set title 'beside the fastest'; set ylabel 'time / least of the three';top = " \
    . "number('SELECT max(time_s / least_s) FROM ' . beside_fastest(experiment, points) . ' WHERE points = ' . " \
    . "points);plot [] [0.9:1.25*top] for [v in algorithms[1:23]] over_fastest(experiment, v, points) with " \
    . "yerrorlines linestyle algorithm_line(v) title '', 1 linestyle 8 title ''"
# The machine whose CPU and GPU are comparable, within a factor of 3 in time: this one, else the partner, else this one
# after all.
comparable(e) = number(sprintf("SELECT coalesce(median(c.time_s / g.time_s) BETWEEN 0.3333 AND 3, 0) FROM %s_median " \
    . "AS c JOIN %s_median AS g USING (rows) WHERE c.variant = 'cpu' AND g.variant = 'gpu' AND c.", e, e) \
    . most_threads(e) . ')')
desktop = "experiment = !comparable('spmv_hybrid') && comparable('partner_spmv_hybrid') ? 'partner_spmv_hybrid' : " \
    . "'spmv_hybrid'; kind_of_node = comparable(experiment) ? 'CPU and GPU comparable' : 'not comparable here';if " \
    . "(experiment ne 'spmv_hybrid') { " . partner_label . " }"

# A strategy of the exchange looks the same in every figure. Columns x, throughput, low and high of a strategy;
# @edge_throughputs draws all but Open MPI in `experiment` over the edge.
strategies = 'sync sg index-standard pinned index-pinned openmpi'
strategy_line(v) = int(word('7 1 3 4 2 5', place_in(strategies, v)))
throughputs(e, x, where, v) = pick(x . ', ' . rated('gflops'), e . '_median', "variant = '" . v . "' AND " . where)
# The axis leaves out what intervals have above all medians: some would take the whole picture.
throughput_y = "; set ylabel 'throughput (GFLOP/s)';set yrange [0:1.4*number('SELECT max(gflops) FROM ' . experiment " \
    . ". '_median')]"
edge_axes = "set xlabel 'edge of the cube (pde)'" . throughput_y
edge_throughputs = edge_axes . "; plot for [v in strategies[1:strlen(strategies)-8]] throughputs(experiment, 'edge', " \
    . "'true', v) with yerrorlines linestyle strategy_line(v) title v"
