load 'style.gp'
load 'spmv.gp'
set title 'Exchange on one node with two GPUs, beside CUDA-aware Open MPI'
experiment = 'spmv_exchange_1_2'
@row_throughputs
