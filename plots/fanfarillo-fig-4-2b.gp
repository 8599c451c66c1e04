load 'style.gp'
load 'spmv.gp'
set title 'Exchange between four nodes with two GPUs each'
experiment = 'spmv_exchange_4_2'
@edge_throughputs
