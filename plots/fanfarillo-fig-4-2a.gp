load 'style.gp'
load 'spmv.gp'
set title 'Exchange between two nodes with one GPU each (thesis: index-pinned first)'
experiment = 'spmv_exchange_2_1'
@edge_throughputs
