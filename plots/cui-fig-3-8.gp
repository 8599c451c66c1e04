load 'style.gp'
load 'pipeline.gp'
@two_panels
names = 'conv3d stencil'; groups = names
@groups_x; set key at screen 0.29, 0.11
set title 'a chunk per iteration: time / naive'
chunked(columns, where) = pick(columns, 'pipeline_by_chunks', where)
plot [] [0:] chunked("1 + (benchmark = 'stencil'), 1 / value, 1 / high, 1 / low", 'chunks = finest') \
         using (bar($1, 2, 2)):2:3:4:(bar_width(2)) @measured_bars linestyle 2 title 'pipeline', \
     1 linestyle 8 title 'naive', \
     q(sprintf('VALUES (1, %g), (2, %g)', thesis('cui-c-055', 1), thesis('cui-c-074', 1))) \
         using (bar($1, 2, 2)):2:(bar_width(2)) @published_bars title 'thesis: AMD'
set title 'speedup over naive by number of chunks'; set key at screen 0.8, 0.11
set logscale x; set xrange [1.6:*] noextend; set xtics auto; set grid xtics; set xlabel 'chunks'
plot [] [0:] for [i = 1:2] chunked('chunks, value, low, high', "benchmark = '" . word(names, i) . "'") \
         with yerrorlines linestyle i+2 title word(names, i), \
     published_point(2, thesis('cui-c-060', 1)) linestyle 13 title 'thesis: AMD', \
     published_point(2, thesis('cui-c-075', 1)) linestyle 14 notitle, 1 linestyle 8 title 'naive'
