load 'style.gp'
@two_rows
groups = fetch(matrix_names)
do for [p in 'double float'] {
    @groups_x; unset xlabel; set xtics rotate by 18 right
    if (p eq 'double') { set xtics (); do for [g = 1:words(groups)] { set xtics add ('' g) } }
    set title 'Bandwidth of a product, ' . p . ': best formats beside a copy'; set ylabel 'bandwidth / copy' offset 1
    plot [] [0:1.9] for [i = 1:2] best_formats(p, i == 1) using (bar($1, i, 2)):2:3:4:(bar_width(2)) @measured_bars linestyle i title p eq 'double' ? word('own cuSPARSE', i) : '', \
         for [i = 1:2] best_formats(p, i == 1) using (bar($1, i, 2)):(1.9-0.2*i):5 @bar_labels, \
         1 linestyle 8 title p eq 'double' ? 'limit: copy' : '', 0.75 linestyle 10 title p eq 'double' ? 'aim of own' : ''
}
