load 'style.gp'
set title '3D convolution, pipeline: speedup over naive by number of streams'
by_streams(view) = pick('streams, value, low, high', view, "benchmark = 'conv3d' AND slower = 'naive' AND variant = " \
    . "'pipeline'")
partner = fetch("SELECT coalesce(max(value), 'partner') FROM partner_machine WHERE name = 'device0_name'")
set xlabel 'streams'
set ylabel 'time of naive / time'
mean = sprintf('%g', thesis('cui-c-094', 1))
# Not by the intervals, which on a software GPU would take the whole picture.
top = number("SELECT 1.5 * max(" . mean . ", max(value)) FROM pipeline_stream_ratios WHERE benchmark = 'conv3d' AND " \
    . "slower = 'naive' AND variant = 'pipeline'")
plot [] [0:top] by_streams('pipeline_stream_ratios') with yerrorlines linestyle 1 \
    title 'this machine', \
     by_streams('partner_pipeline_stream_ratios') with yerrorlines linestyle 2 title partner, \
     pick('DISTINCT streams, ' . mean, 'pipeline_by_streams', 'streams > 1') with lines \
     linestyle 11 title 'thesis: mean of P100', 1 linestyle 8 title 'naive'
