load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_hybrid_disturbed'
points = accurate(experiment)
set title sprintf('%d disturbed samples (thesis: linear first)', points)
@hybrid_times
