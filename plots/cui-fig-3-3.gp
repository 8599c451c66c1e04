load 'style.gp'
@two_panels
groups = fetch("SELECT '''n = ' || size || iif(dataset = '' || size, '', char(10) || dataset) || '''' FROM " \
    . "pipeline_fastest WHERE variant = 'naive' AND benchmark = 'qcd' ORDER BY size")
sizes(columns, view, where) = q('SELECT row_number() OVER (ORDER BY size), ' . columns . ' FROM ' . view \
    . " WHERE benchmark = 'qcd' AND " . where)
sums = 'to_device_s+kernel_s+from_device_s to_device_s+kernel_s to_device_s'
@groups_x; set key at screen 0.29, 0.11
set title 'Lattice QCD, naive: share of the time (%)'
plot [] [0:110] for [i = 1:3] sizes('100 * (' . word(sums, i) . ') / (' . word(sums, 1) . ')', 'pipeline_fastest', \
    "variant = 'naive'") using 1:2:(0.5) with boxes linestyle i title word("'copies out' kernels 'copies in'", i)
bound = thesis('cui-c-036', 1)
set title 'speedup over naive'; set key at screen 0.77, 0.11
over_naive(v, columns) = sizes(columns, 'pipeline_speedups', "pair = 'naive / " . v . "'")
plot [] [0:] for [v in 'pipeline framework'] over_naive(v, 'value, low, high') using (bar($1, 1 + (v ne 'pipeline'), \
    2)):2:3:4:(bar_width(2)) @measured_bars linestyle v eq 'pipeline' ? 4 : 5 title v, \
     over_naive('pipeline', sprintf('iif(size = 12, %g, NULL)', thesis('cui-c-034', 1))) using (bar($1, 1, \
     2)):2:(bar_width(2)) @published_bars title 'thesis: pipeline', bound linestyle 8 title 'thesis: bound'
