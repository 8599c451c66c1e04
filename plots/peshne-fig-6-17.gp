load 'style.gp'
load 'rdma.gp'
set title 'PUT of a block to a server, by path and memory of the worker'
experiment = 'rdma_put'
@block_times
set ylabel 'time of a PUT, until it is acknowledged'
plot for [v in paths_of(experiment, 'true')] block_path(experiment, v) with yerrorlines linestyle path_line(v) \
    title path_title(v)
