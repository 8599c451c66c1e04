load 'style.gp'
load 'rdma.gp'
set title 'Between the memories of two GPUs: latency'
@gpu_sizes
@seconds_y
set logscale y
set ylabel 'half of a round trip'
set key maxrows 3
plot for [v in paths_of('rdma_pingpong', between_gpus('latency'))] series('rdma_pingpong', 'bytes', \
    between_gpus('latency') . " AND variant = '" . v . "'") \
         with yerrorlines linestyle path_line(v) title path_title(v)
