load 'style.gp'
set title fetch("SELECT DISTINCT benchmark || ', random forest: box 25th to 75th, whiskers 5th to 95th " \
    . "percentile' FROM tuner_iterations_median")
spread(i) = q(sprintf("SELECT total_ratio * %g, best_p05, best_p25, best_median, best_p75, best_p95 FROM " \
    . "tuner_iterations_median WHERE variant = '%s' AND iterations = %d", 1 + 0.055 * (i - 2), i == 1 \
    ? 'random' : 'forest', i))
wide(x) = 0.045 * x
styles = '2 1 6'
set logscale x; set format x '%g'
set xtics (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
set xrange [fetch('SELECT 0.85 * min(total_ratio) FROM tuner_iterations_median') + 0:fetch('SELECT 1.15 * ' \
    . 'max(total_ratio) FROM tuner_iterations_median') + 0]
set xlabel 'total sample ratio'
set ylabel 'best found: fraction of the optimum'
plot [] [*:1.01] for [i = 1:3] spread(i) @box_spread linestyle int(word(styles, i)) title word("'not iterative' " \
    . "'2 iterations' '3 iterations'", i), \
     for [i = 1:3] spread(i) @box_middle, 0.95 linestyle 8 title '0.95', \
     for [i = 1:2] published_knee(thesis(i == 1 ? 'cui-c-269' : 'cui-c-272', 1), 1) with lines linestyle 11 \
         title i == 1 ? 'thesis: Standards 1, 2' : ''
