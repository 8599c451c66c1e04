load 'style.gp'
load 'partition.gp'
@rows_above_a_tall_key
experiment = 'partition_stencil'
app = 'stencil'
lines(d) = judged_on('partition_launches', 'size', 'iterations', app, d, 'true')
@seconds_y
set logscale y; set autoscale xfix
set title 'Five-point stencil: time of all launches'
@device_lines
lines(d) = judged_on('partition_bandwidths', 'size', '1', app, d, 'true')
unset logscale y; unset key
set format y '%.1s %cB/s'; set yrange [0:*]; set ytics offset 0, 0
top = number('SELECT max(mid) FROM partition_bandwidths')
set ytics 10 ** floor(log10(top)) * (top / 10 ** floor(log10(top)) > 4 ? 4 : 1)
set xlabel 'width'
set title sprintf('bandwidth of all devices, five accesses per cell (thesis: %g GB/s per device)', \
    thesis('klein-c-017', 1))
@device_lines
