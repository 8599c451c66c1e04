load 'style.gp'
load 'spmv.gp'
@desktop
samples = 'all'
set title sprintf('%s, %d samples (thesis: linear first)', kind_of_node, accurate(experiment))
@hybrid_times
