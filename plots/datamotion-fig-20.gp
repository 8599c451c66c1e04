load 'style.gp'
@two_panels; @seconds_y
set logscale xy; set xlabel 'devices'; set ylabel 'time of an iteration'; set offsets graph 0.07, graph 0.07, 0, 0
counts = fetch("SELECT DISTINCT devices FROM partition_stencil_median WHERE app = 'stencil' ORDER BY 1")
set xtics (); do for [d in counts] { set xtics add (d int(d)) }; do for [k = -6:0] { set ytics add (2 * 10.0**k, \
    5 * 10.0**k) }
launches = "(SELECT * FROM partition_launches WHERE app = 'stencil')"
widths = fetch('SELECT max(size) FILTER (WHERE nth = 2), max(size) FROM ' . launches)
per_iteration(v, size) = judged(launches, 'devices', sprintf("variant = '%s' AND size = %s", v, size))
variants = 'original partitioned by-hand'
# Wide intervals would cover the medians; what is covered by a later curve is wider.
end(which, p) = number('SELECT ' . which . '(mid) FROM ' . launches . ' WHERE size = ' . word(widths, p))
do for [p = 1:2] {
    set yrange [end('min', p) / 1.6:end('max', p) * 1.6]; set title 'stencil, width ' . word(widths, p)
    plot for [i = 1:3] per_iteration(word(variants, i), word(widths, p)) with yerrorlines \
        linestyle i linewidth 5.2-1.2*i pointsize 1.5-0.25*i title p == 1 ? word(variants, i) : ''
    unset ylabel; unset label 999
}
