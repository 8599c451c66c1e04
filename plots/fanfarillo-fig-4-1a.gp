load 'style.gp'
load 'spmv.gp'
set title 'Exchange on one node with two GPUs (thesis: index-pinned first, sync last)'
experiment = 'spmv_exchange_1_2'
@edge_throughputs
