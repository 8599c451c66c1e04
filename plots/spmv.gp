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

# How an algorithm shares the rows. `experiment` is one of spmv_hybrid; `samples` says whether its models had all or few
# samples; accurate(e) and coarse(e) are how many. Of the times beside the fastest those that do not stand alone.
algorithms = 'linear iterative hybrid cpu gpu'
algorithm_line(v) = int(word('1 2 3 25 27', place_in(algorithms, v)))
accurate(e) = int(number('SELECT coalesce(max(points), 0) FROM ' . e . '_median'))
coarse(e) = int(number('SELECT coalesce(min(points), 0) FROM ' . e . '_median WHERE points > 0'))
runs_with(e, samples) = '(SELECT * FROM ' . of(e, 'spmv_shared_runs') . " WHERE samples IN ('alone', '" . samples . \
    "'))"
beside_fastest(e, samples) = "(SELECT variant, rows, mid / least AS mid, low / least AS low, high / least AS high " \
    . "FROM (SELECT *, min(mid) FILTER (WHERE samples <> 'alone') OVER (PARTITION BY rows) AS least FROM " \
    . runs_with(e, samples) . ") WHERE samples <> 'alone')"
hybrid_times = two_panels . "; set key maxrows 1;" . rows_x . "; set ylabel 'time of a product';" . seconds_y \
    . "; set logscale y; plot for [v in algorithms] judged(runs_with(experiment, samples), 'rows', \"variant = \
    '\" . v " \
    . ". \"'\") with yerrorlines linestyle algorithm_line(v) title v eq 'cpu' || v eq 'gpu' ? v . ' alone' : v;unset " \
    . "logscale y; set format y '%g'; set title 'time / least of the three'; unset ylabel; top = " \
    . "number('SELECT max(mid) FROM ' . beside_fastest(experiment, samples));plot [] [0.9:1.25*top] for [v in " \
    . "algorithms[1:23]] judged(beside_fastest(experiment, samples), 'rows', \"variant = '\" . v . \"'\") with " \
    . "yerrorlines linestyle algorithm_line(v) title '', 1 linestyle 8 title ''"
# The machine whose CPU and GPU are comparable, within a factor of 3 in time: this one, else the partner, else this one
# after all.
comparable(view) = number('SELECT coalesce(comparable, 0) FROM ' . view)
desktop = "experiment = !comparable('spmv_speeds') && comparable('partner_spmv_speeds') ? 'partner_spmv_hybrid' : " \
    . "'spmv_hybrid'; kind_of_node = comparable('spmv_speeds') || experiment ne 'spmv_hybrid' ? 'CPU and GPU " \
    . "comparable' : 'not comparable here';if (experiment ne 'spmv_hybrid') { " . partner_label . " }"

# A strategy of the exchange looks the same in every figure. Columns x, throughput, low and high of a strategy;
# @edge_throughputs draws all but Open MPI in `experiment` over the edge.
strategies = 'sync sg index-standard pinned index-pinned openmpi'
strategy_line(v) = int(word('7 1 3 4 2 5', place_in(strategies, v)))
throughputs(e, x, where, v) = pick(x . ', 1e-9 * rate, 1e-9 * rate * mid / high, 1e-9 * rate * mid / low', \
    of(e, 'spmv_exchanges'), "variant = '" . v . "' AND " . where)
# The axis leaves out what intervals have above all medians: some would take the whole picture.
throughput_y = "; set ylabel 'throughput (GFLOP/s)';set yrange [0:1.4e-9*number('SELECT max(rate) FROM ' . " \
    . "of(experiment, 'spmv_exchanges'))]"
edge_axes = "set xlabel 'edge of the cube (pde)'" . throughput_y
edge_throughputs = edge_axes . "; plot for [v in strategies[1:strlen(strategies)-8]] throughputs(experiment, 'edge', " \
    . "'true', v) with yerrorlines linestyle strategy_line(v) title v"
