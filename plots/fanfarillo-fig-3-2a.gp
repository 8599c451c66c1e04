load 'style.gp'
load 'spmv.gp'
# fanfarillo-fig-3-2b has the other side.
if (!exists('side')) { side = 'cpu'; name = 'CPU (thesis: csr first, hll behind)' }
set title 'Product of a pde matrix by format: ' . name
here = "precision = 'double' AND (variant LIKE '%-" . side . "'" . (side eq 'gpu' ? " OR variant LIKE " \
    . "'cusparse%'" : '') . ") AND variant NOT LIKE 'gemm%' AND variant NOT LIKE 'triad%'"
@rows_x; set logscale y; @seconds_y; set ylabel 'time of a product'; set key maxrows 3
# Not by the intervals, some of which are far wider than all times.
ends(which) = number('SELECT ' . which . '(time_s) FROM spmv_formats_median WHERE ' . here)
set yrange [decade_below(ends('min')):decade_above(ends('max'))]
plot for [v in fetch('SELECT variant FROM spmv_formats_median WHERE ' . here . ' GROUP BY 1 ORDER BY 1')] \
     series('spmv_formats', 'rows', here . " AND variant = '" . v . "'") with yerrorlines linestyle format_line(v) \
     title format_title(v)
