load 'style.gp'
load 'pipeline.gp'
set title '3D convolution, pipeline: speedup over naive by number of streams'
where = "b.benchmark = 'conv3d'"
partner = fetch("SELECT coalesce(max(value), 'partner') FROM partner_machine WHERE name = 'device0_name'")
set xlabel 'streams'
set ylabel 'time of naive / time'
plot [] [0:] speedups('pipeline_streams', 'streams', where, 'pipeline') with yerrorlines linestyle 1 \
    title 'this machine', \
     speedups('partner_pipeline_streams', 'streams', where, 'pipeline') with yerrorlines linestyle 2 title partner, \
     q('VALUES (2, 1.2), (8, 1.2)') with lines linestyle 11 title 'thesis: mean of P100', 1 linestyle 8 title 'naive'
