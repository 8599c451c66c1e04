load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_hybrid'
points = coarse(experiment)
set title sprintf('%d samples (thesis: no difference)', points)
@hybrid_times
