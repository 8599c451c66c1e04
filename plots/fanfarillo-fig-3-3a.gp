load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_hybrid'
points = accurate(experiment)
set title sprintf('%d samples (thesis: no difference)', points)
@hybrid_times
