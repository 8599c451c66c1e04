load 'style.gp'
load 'blp.gp'
set title 'All versions, speedup over sync, ' . partner_fact('device0_name')
experiment = 'partner_blp_datasets'
@second_node
variants = 'async um um-prefetch blp'
groups = workload_groups(experiment)
thesis(column) = q('SELECT min(place), ' . column . ' FROM ' . fastest(experiment) . ' JOIN (SELECT column1 AS ' \
    . 'benchmark, column2, column3 FROM ' \
    . "(VALUES ('conv2d', NULL, 1.62), ('fdtd2d', 1.24, 1.31), ('atax', 1.04, 1.13))) USING (benchmark) GROUP BY " \
    . "benchmark")
@groups_x
set ylabel 'time of sync / time'
plot [] [0:] for [i = 1:4] over_sync(fastest(experiment), 'place', word(variants, i)) using (bar($1, i, \
    4)):2:3:4:(bar_width(4)) \
         @measured_bars linestyle i title word("'async, best' um um-prefetch blp", i), \
     for [i = 1:2] thesis(word('column2 column3', i)) using (bar($1, 3*i-2, 4)):2:(bar_width(4)) @published_bars \
     title i == 1 ? 'thesis, PCI-E: async, blp' : '', 1 linestyle 8 title 'sync'
