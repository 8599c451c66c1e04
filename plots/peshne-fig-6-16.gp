load 'style.gp'
load 'rdma.gp'
set title 'GET of a block from a server, by path and memory of the worker'
experiment = 'rdma_get'
@block_times
set ylabel 'time of a GET'
plot for [v in paths_of(experiment, 'true')] block_path(experiment, v) with yerrorlines linestyle path_line(v) \
    title path_title(v)
