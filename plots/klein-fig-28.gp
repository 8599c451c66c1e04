load 'style.gp'
load 'partition.gp'
set title 'N-body: time of the launches per step (thesis: steps in every line)'
experiment = 'partition_nbody'
app = 'nbody'
column = 'app_kernel_s / iterations'
@linear_seconds_y
set yrange [0:*]
set format x '%.0s%c'; set xlabel 'particles'
set ylabel 'application kernel time per step'
@device_lines
