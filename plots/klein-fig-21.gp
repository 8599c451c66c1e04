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
set format y '%.1s %cB/s'; set yrange [0:*]; set ytics offset 0, 0
top = number('SELECT max(20.0 * size * size * iterations / app_kernel_s) FROM partition_stencil_median')
set ytics 10 ** floor(log10(top)) * (top / 10 ** floor(log10(top)) > 4 ? 4 : 1)
set xlabel 'width'
set title sprintf('bandwidth of all devices, five accesses per cell (thesis: %g GB/s per device)', \
    thesis('klein-c-017', 1))
@device_lines
