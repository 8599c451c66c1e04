load 'style.gp'
load 'partition.gp'
@rows_above_a_tall_key
@seconds_y
set logscale y; set autoscale xfix
counts = device_counts('partition_htod', 'stencil')
copied(values, d, htod) = pick('size, ' . values, 'partition_host_copies', on_devices('stencil', d) . \
    " AND htod IN ('-', '" \
    . htod . "')")
set title 'Five-point stencil: copies to devices (thesis: broadcast; rises with devices)'
plot for [i = 1:words(counts)] copied('mid, low, high', word(counts, i), 'broadcast') with yerrorlines linestyle i \
    title devices_title(word(counts, i)), \
     for [i = 2:words(counts)] copied('mid, low, high', word(counts, i), 'scatter') with yerrorlines linestyle 20+i \
     title i == 2 ? 'dashed: scatter' : ''
set xlabel 'width'
set title 'copy to the host (thesis: independent of devices)'
plot for [i = 1:words(counts)] copied('back, back_low, back_high', word(counts, i), 'broadcast') with yerrorlines \
    linestyle i title ''
