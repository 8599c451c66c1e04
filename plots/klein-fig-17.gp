load 'style.gp'
load 'partition.gp'
set title 'Matrix multiplication: time of the launches (thesis: a cubic power)'
experiment = 'partition_matmul'
app = 'matmul'
lines(d) = judged_on('partition_launches', 'size', 'iterations', app, d, 'true')
@seconds_y
set logscale y
set logscale x 2
set xlabel 'width of the matrices'
set ylabel 'application kernel time'
@device_lines
