load 'style.gp'
load 'pipeline.gp'
set title '3D convolution, pipeline: speedup over naive by number of streams'
where = "b.benchmark = 'conv3d'"
partner = fetch("SELECT coalesce(max(value), 'partner') FROM partner_machine WHERE name = 'device0_name'")
set xlabel 'streams'
set ylabel 'time of naive / time'
mean = sprintf('%g', thesis('cui-c-094', 1))
# Not by the intervals, which on a software GPU would take the whole picture.
top = number("SELECT 1.5 * max(s) FROM (SELECT max(n.time_s / b.time_s) AS s FROM pipeline_streams_median AS b JOIN " \
    . "pipeline_streams_median AS n USING (benchmark) WHERE benchmark = 'conv3d' AND b.variant = 'pipeline' AND " \
    . "n.variant = 'naive' UNION ALL SELECT " . mean . ')')
plot [] [0:top] speedups('pipeline_streams', 'streams', where, 'pipeline') with yerrorlines linestyle 1 \
    title 'this machine', \
     speedups('partner_pipeline_streams', 'streams', where, 'pipeline') with yerrorlines linestyle 2 title partner, \
     pick('DISTINCT streams, ' . mean, 'pipeline_streams_median', 'streams > 1') with lines \
     linestyle 11 title 'thesis: mean of P100', 1 linestyle 8 title 'naive'
