load 'style.gp'
@two_rows
places = '(SELECT matrix, row_number() OVER (ORDER BY min(rowid)) AS place FROM spmv_matrices_median  ' \
    . "WHERE matrix <> 'dense' GROUP BY matrix)"
groups = fetch("SELECT iif(instr(matrix, ':'), substr(matrix, 1, instr(matrix, ':') - 1), matrix) FROM " . places \
    . ' ORDER BY place')
best(i) = pick("place, share, share_low, share_high, replace(replace(variant, '-gpu', ''), 'cusparse-', '')", \
    'spmv_best JOIN ' . places . ' USING (matrix)', "precision = '" . p . "' AND maker = '" . word('own cusparse', i) \
    . "'")
aim = aim('datamotion-c-041')
do for [p in 'double float'] {
    @groups_x; unset xlabel; set xtics rotate by 18 right; first = p eq 'double'
    if (first) { set xtics (); do for [g = 1:words(groups)] { set xtics add ('' g) } }
    set title 'Bandwidth of a product, ' . p . ': best formats beside a copy'; set ylabel 'bandwidth / copy' offset 1
    plot [] [0:1.9] for [i = 1:2] best(i) using (bar($1, i, 2)):2:3:4:(bar_width(2)) @measured_bars linestyle i \
        title first ? word('own cuSPARSE', i) : '', \
         for [i = 1:2] best(i) using (bar($1, i, 2)):(1.9-0.2*i):5 @bar_labels, 1 linestyle 8 title first \
         ? 'limit: copy' : '', \
         aim linestyle 10 title first ? 'aim of own' : ''
}
