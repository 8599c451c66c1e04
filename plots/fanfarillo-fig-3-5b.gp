load 'style.gp'
load 'spmv.gp'
@desktop
samples = 'few'
set title sprintf('%s, %d samples (thesis: linear first)', kind_of_node, coarse(experiment))
@hybrid_times
