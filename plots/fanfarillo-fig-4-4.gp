experiment = 'spmv_exchange_2_1'
name = 'Exchange between two nodes with one GPU each'
load 'fanfarillo-fig-4-3.gp'
