load 'style.gp'
load 'spmv.gp'
set title 'Exchange between two nodes with one GPU each, beside CUDA-aware Open MPI'
experiment = 'spmv_exchange_2_1'
@row_throughputs
