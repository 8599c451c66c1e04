load 'style.gp'
load 'tuner.gp'
set title 'Samples for Standard 1, all kernels: box 25th to 75th, whiskers 5th to 95th percentile'
groups = 'clustered banded'
variants = 'random forest'
pooled(v) = boxes(sprintf("SELECT iif(class = 'clustered', %g, %g) AS x, min(need, 1) AS value FROM %s JOIN (SELECT " \
    . "class, p100 AS benchmark FROM cui_tab_5_2) USING (benchmark) WHERE standard = 1 AND variant = '%s'", bar(1, v, \
    2), bar(2, v, 2), \
    of_both('tuner_needs'), word(variants, v)))
wide(x) = 0.8 * bar_width(2)
@groups_x
set xlabel 'class of the kernels in the thesis (table 5.2)'
set ylabel 'total sample ratio'
plot [] [0:*] for [v = 1:2] pooled(v) @box_spread linestyle v title word("'not iterative' 'IterML, random forest'", \
    v), for [v = 1:2] pooled(v) @box_middle, \
     for [v = 1:2] published_point(bar(2, v, 2), thesis(v == 1 ? 'cui-c-293' : 'cui-c-294', 1)) with points \
     linestyle 11 title v == 1 \
     ? 'thesis: mean' : ''
