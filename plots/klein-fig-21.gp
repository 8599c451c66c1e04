load 'style.gp'
load 'partition.gp'
@rows_above_a_tall_key
experiment = 'partition_stencil'
app = 'stencil'
column = 'app_kernel_s'
@seconds_y
set logscale y; set autoscale xfix
set title 'Five-point stencil: time of all launches'
@device_lines
column = '20.0 * size * size * iterations / app_kernel_s'
unset logscale y; unset key
set format y '%.1s %cB/s'; set yrange [0:*]
set xlabel 'width'
set title 'bandwidth of all devices, five accesses per cell (thesis: 200 GB/s per device)'
@device_lines
