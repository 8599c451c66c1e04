load 'style.gp'
load 'tuner.gp'
set title 'Samples beside random, all kernels: box 25th to 75th, whiskers 5th to 95th percentile'
groups = tuner_models . ' svm-scaled mlp-scaled'
place = 'CASE variant'
do for [m = 1:words(groups)] { place = place . sprintf(" WHEN '%s' THEN %d", word(groups, m), m) }
pooled(s) = boxes(sprintf('SELECT %s END + %g AS x, min(ratio, 4) AS value FROM %s WHERE x > 0 AND standard = %d', \
    place, bar(0, s, 2), of_both('tuner_all_ratios'), s))
wide(x) = 0.8 * bar_width(2)
@groups_x
set ylabel 'samples / samples of random (4: or more)'
forest = 1 - thesis('cui-c-290', 1)
plot [] [0:4] for [s = 1:2] pooled(s) @box_spread linestyle s title sprintf('Standard %d', s), \
    for [s = 1:2] pooled(s) @box_middle, \
     1 linestyle 8 title 'random', forest linestyle 11 pointtype 0 \
     title sprintf('thesis: forest %g overall', forest)
