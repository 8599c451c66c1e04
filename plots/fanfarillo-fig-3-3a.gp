load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_hybrid'
samples = 'all'
set title sprintf('%d samples (thesis: no difference)', accurate(experiment))
@hybrid_times
