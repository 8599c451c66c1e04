load 'style.gp'
load 'partition.gp'
set title 'N-body: time of the launches of one step (thesis: steps twice as wide with twice the devices)'
experiment = 'partition_nbody_steps'
app = 'nbody'
lines(d) = metric(experiment, 'size', 'app_kernel_s', on_devices(app, d))
@linear_seconds_y
@particles_x
set ylabel 'application kernel time'
@device_lines
