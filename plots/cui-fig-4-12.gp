load 'style.gp'
load 'blp.gp'
set title 'Product of matrices with 2D copies: speedup over sync'
nodes = nodes_of('blp_gemm')
ends(speedup) = q(sprintf('SELECT min(streams), %g FROM blp_gemm_median UNION ALL SELECT max(streams), %g FROM ' \
    . 'blp_gemm_median', speedup, speedup))
set logscale x 2
set xlabel 'streams'
set ylabel 'time of sync / time'
# A function that asks would be asked for every point of its line.
blps = ''; do for [e in nodes] { blps = blps . sprintf(' %.9g', blp_speedup(e)) }
plot [] [0:*] for [i = 1:words(nodes)] pick('streams, max(value), low, high', of(word(nodes, i), 'blp_cell'), \
    'true GROUP BY streams') with yerrorlines \
    linestyle 20*i-19 title 'async' . of_node(i), \
     for [i = 1:words(nodes)] real(word(blps, i)) with lines linestyle 20*i-18 title 'blp' . of_node(i), \
     ends(thesis('cui-c-162', 1)) with linespoints linestyle 11 title 'thesis, NVLink2: async at most', \
     ends(thesis('cui-c-163', 2)) with linespoints \
     linestyle 12 title 'thesis, NVLink2: blp'
