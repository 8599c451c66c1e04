load 'style.gp'
set title 'Weak scaling with one GPU per node (thesis: index-pinned ahead)'
set logscale xy 2
set xlabel 'nodes'
set ylabel 'throughput / that of one node'
plot [0.9:9] x linestyle 8 title 'limit: as many as nodes', \
     for [v in 'index-pinned openmpi'] weak_speedups(v) with yerrorlines linestyle strategy_line(v) title v
