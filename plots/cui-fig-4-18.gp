load 'style.gp'
load 'blp.gp'
set title 'All versions, speedup over sync'
experiment = 'blp_datasets'
variants = 'async um um-prefetch blp'
groups = workload_groups(experiment)
thesis(column) = q('SELECT min(place), ' . column . ' FROM ' . fastest(experiment) . ' JOIN (SELECT column1 AS ' \
    . 'benchmark, column2, column3 FROM ' \
    . "(VALUES ('conv2d', 1.77, 1.67), ('conv3d', 2.05, 1.95), ('gemm', 1.02, 1.05), ('fdtd2d', 1.26, 1.34), " \
    . "('atax', 1.14, 1.21))) USING (benchmark) GROUP BY benchmark")
@groups_x
set ylabel 'time of sync / time'
plot [] [0:] for [i = 1:4] over_sync(fastest(experiment), 'place', word(variants, i)) using (bar($1, i, \
    4)):2:3:4:(bar_width(4)) \
         @measured_bars linestyle i title word("'async, best' um um-prefetch blp", i), \
     for [i = 1:2] thesis(word('column2 column3', i)) using (bar($1, 3*i-2, 4)):2:(bar_width(4)) @published_bars \
     title i == 1 ? 'thesis, NVLink2: async, blp' : '', 1 linestyle 8 title 'sync'
