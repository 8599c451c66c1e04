load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_hybrid'
samples = 'few'
set title sprintf('%d samples (thesis: no difference)', coarse(experiment))
@hybrid_times
