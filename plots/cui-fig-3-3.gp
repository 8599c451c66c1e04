load 'style.gp'
load 'pipeline.gp'
@two_panels
groups = fetch("SELECT '''n = ' || size || iif(dataset = '' || size, '', char(10) || dataset) || '''' FROM " \
    . "pipeline_versions_median WHERE variant = 'naive' AND benchmark = 'qcd' ORDER BY size")
qcd(value, v) = q('SELECT row_number() OVER (ORDER BY size), ' . value . " FROM " . fastest('pipeline_versions') \
    . " AS b JOIN " . fastest('pipeline_versions') . " AS n USING (benchmark, size) WHERE benchmark = 'qcd' AND " \
    . "n.variant = 'naive' AND b.variant = '" . v . "'")
sums = "'n.to_device_s+n.kernel_s+n.from_device_s' 'n.to_device_s+n.kernel_s' 'n.to_device_s'"
@groups_x; set key at screen 0.29, 0.11
set title 'Lattice QCD, naive: share of the time (%)'
plot [] [0:110] for [i = 1:3] qcd('100 * (' . word(sums, i) . ') / (' . word(sums, 1) . ')', 'naive') \
    using 1:2:(0.5) with boxes linestyle i title word("'copies out' kernels 'copies in'", i)
bound = thesis('cui-c-036', 1)
set title 'speedup over naive'; set key at screen 0.77, 0.11
plot [] [0:] for [i = 2:3] qcd(speedup, word('naive pipeline framework', i)) using (bar($1, i-1, \
    2)):2:3:4:(bar_width(2)) \
         @measured_bars linestyle i+2 title word('naive pipeline framework', i), \
     qcd(sprintf('iif(size = 12, %g, NULL)', thesis('cui-c-034', 1)), 'pipeline') using (bar($1, 1, \
     2)):2:(bar_width(2)) \
         @published_bars title 'thesis: pipeline', bound linestyle 8 title 'thesis: bound'
