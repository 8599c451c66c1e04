load 'style.gp'
load 'spmv.gp'
set title 'Two nodes with two GPUs each (thesis: openmpi falls where 4 does not divide the rows)'
experiment = 'spmv_exchange_2_2'
@edge_axes
plot for [v in 'pinned index-pinned openmpi'] throughputs(experiment, 'edge', 'true', v) with yerrorlines \
    linestyle strategy_line(v) title v, \
     for [v in 'pinned index-pinned openmpi'] throughputs(experiment, 'edge', 'rows % 4 <> 0', v) with points \
     linestyle 17 pointtype 6 pointsize 1.6 \
         title v eq 'index-pinned' ? '4 does not divide the rows' : ''
