load 'style.gp'
@two_rows
# Of each matrix the best own format on the GPU or the best of cuSPARSE: place, bandwidth / that of a copy, low, high,
# name.
places = '(SELECT matrix, row_number() OVER (ORDER BY min(rowid)) AS place FROM spmv_matrices_median  ' \
    . "WHERE matrix <> 'dense' GROUP BY matrix)"
groups = fetch("SELECT iif(instr(matrix, ':'), substr(matrix, 1, instr(matrix, ':') - 1), matrix) FROM " . places \
    . ' ORDER BY place')
share = 'b.bandwidth_gbs / l.bandwidth_gbs'
best(i) = q('SELECT place, ' . share . ', ' . share . ' * b.time_s / b.time_high_s * l.time_low_s / l.time_s, ' \
    . share . " * b.time_s / b.time_low_s * l.time_high_s / l.time_s, replace(name, 'cusparse-', '') FROM " \
    . "(SELECT *, min(time_s), replace(variant, '-gpu', '') AS name FROM spmv_matrices_median WHERE precision = '" . p \
    . "' AND variant " . (i == 1 ? "LIKE '%-gpu' AND variant NOT IN ('copy-gpu', 'gemm-gpu')" : "LIKE 'cusparse%'") \
    . ' GROUP BY matrix) AS b JOIN spmv_matrices_median AS l USING (matrix, precision) JOIN ' . places \
    . " USING (matrix) WHERE l.variant = 'copy-gpu'")
do for [p in 'double float'] {
    @groups_x; unset xlabel; set xtics rotate by 18 right; first = p eq 'double'
    if (first) { set xtics (); do for [g = 1:words(groups)] { set xtics add ('' g) } }
    set title 'Bandwidth of a product, ' . p . ': best formats beside a copy'; set ylabel 'bandwidth / copy' offset 1
    plot [] [0:1.9] for [i = 1:2] best(i) using (bar($1, i, 2)):2:3:4:(bar_width(2)) @measured_bars linestyle i \
        title first ? word('own cuSPARSE', i) : '', \
         for [i = 1:2] best(i) using (bar($1, i, 2)):(1.9-0.2*i):5 @bar_labels, 1 linestyle 8 title first \
         ? 'limit: copy' : '', \
         0.75 linestyle 10 title first ? 'aim of own' : ''
}
