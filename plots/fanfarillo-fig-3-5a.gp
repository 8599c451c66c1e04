load 'style.gp'
load 'spmv.gp'
@desktop
points = accurate(experiment)
set title sprintf('%s, %d samples (thesis: linear first)', kind_of_node, points)
@hybrid_times
