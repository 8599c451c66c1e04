load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_hybrid_disturbed'
samples = 'all'
set title sprintf('%d disturbed samples (thesis: linear first)', accurate(experiment))
@hybrid_times
