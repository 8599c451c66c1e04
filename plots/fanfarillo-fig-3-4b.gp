load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_hybrid_disturbed'
samples = 'few'
set title sprintf('%d disturbed samples (thesis: linear first)', coarse(experiment))
@hybrid_times
