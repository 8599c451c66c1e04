load 'style.gp'
load 'spmv.gp'
set title 'Weak scaling with one GPU per node (thesis: index-pinned ahead)'
all = runs_of("id LIKE 'spmv_exchange_weak%'")
speedups_of(v) = pick('p.nodes, ' . share . ', ' . share . ' * p.time_s / p.time_high_s * o.time_low_s / o.time_s, ' \
    . share . ' * p.time_s / p.time_low_s * o.time_high_s / o.time_s', all . ' AS p JOIN ' . all \
    . ' AS o USING (variant)', "o.nodes = 1 AND variant = '" . v . "'")
share = 'p.gflops / o.gflops'
set logscale xy 2
set xlabel 'nodes'
set ylabel 'throughput / that of one node'
least = number('SELECT 0.7 * min(' . share . ') FROM ' . all . ' AS p JOIN ' . all . ' AS o USING (variant) ' \
    . 'WHERE o.nodes = 1')
plot [0.9:9] [least < 1/16. ? least : 1/16.:16] x linestyle 8 title 'limit: as many as nodes', \
     for [v in 'index-pinned openmpi'] speedups_of(v) with yerrorlines linestyle strategy_line(v) title v
