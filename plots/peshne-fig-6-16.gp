load 'style.gp'
load 'rdma.gp'
# peshne-fig-6-17 has another experiment.
if (!exists('experiment')) { experiment = 'rdma_get'; call = 'GET of a block from'; name = 'time of a GET' }
set title call . ' a server, by path and memory of the worker'
@block_range
@elements_x
@seconds_y
set logscale y; set key maxrows 3; set ylabel name
plot for [v in paths_of(experiment, 'true')] block_path(experiment, v) with yerrorlines linestyle path_line(v) \
    title path_title(v)
