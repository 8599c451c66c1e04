load 'style.gp'
load 'spmv.gp'
# fanfarillo-fig-4-4 has another experiment.
if (!exists('experiment')) { experiment = 'spmv_exchange_1_2'; name = 'Exchange on one node with two GPUs' }
set title name . ', beside CUDA-aware Open MPI'
@rows_x; @throughput_y
most = 1e-9 * number('SELECT max(rate) FROM ' . of(experiment, 'spmv_exchanges') . \
    " WHERE variant IN ('pinned', 'index-pinned', " \
    . "'openmpi')")
plot published_knee(thesis('fanfarillo-c-080', 1), most) with lines linestyle 11 title 'thesis: openmpi ahead ' \
    . 'from here', \
     for [v in 'pinned index-pinned openmpi'] throughputs(experiment, 'rows', 'true', v) with yerrorlines \
     linestyle strategy_line(v) title v
