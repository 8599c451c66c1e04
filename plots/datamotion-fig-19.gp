load 'style.gp'
set title 'Finding what the 16 parts of a stencil read and write'
ways = 'points rows boxes cached'
@seconds_y
set logscale xy; set xtics (1024, 2048, 4096, 8192, 16384, 36864); set format x '%g'; set xrange [900:42000]
set xlabel 'width of the array (elements)'; set ylabel 'time for both arguments'
of_way(v) = q(sprintf("SELECT size, sum(time_s), sum(time_low_s), sum(time_high_s) FROM partition_intervals_median " \
    . "WHERE [case] = 'stencil' AND part = -1 AND variant = '%s' GROUP BY size ORDER BY size", v))
aim = aim('datamotion-c-056/cold')
plot for [i = 1:words(ways)] of_way(word(ways, i)) with yerrorlines linestyle i title word(ways, \
    i) eq 'points' ? 'points (thesis)' : word(ways, i), \
     aim linestyle 8 title sprintf('target at %g: %g ms', stated('datamotion-c-056', 1), 1e3*aim)
