load 'style.gp'
load 'partition.gp'
set title 'N-body: time of the launches per step (thesis: steps in every line)'
experiment = 'partition_nbody'
app = 'nbody'
lines(d) = judged_on('partition_launches', 'size', '1', app, d, 'true')
@linear_seconds_y
@particles_x
set ylabel 'application kernel time per step'
@device_lines
