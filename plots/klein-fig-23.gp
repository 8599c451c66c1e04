load 'style.gp'
load 'partition.gp'
@rows_above_a_tall_key
@seconds_y
set logscale y; set autoscale xfix
counts = device_counts('partition_htod', 'stencil')
copied(column, d, htod) = metric('partition_htod', 'size', column, on_devices('stencil', d) \
    . " AND htod IN ('-', '" . htod . "')")
set title 'Five-point stencil: copies to devices (thesis: broadcast; rises with devices)'
plot for [i = 1:words(counts)] copied('app_htod_s', word(counts, i), 'broadcast') with yerrorlines linestyle i \
    title devices_title(word(counts, i)), \
     for [i = 2:words(counts)] copied('app_htod_s', word(counts, i), 'scatter') with yerrorlines linestyle 20+i \
     title i == 2 ? 'dashed: scatter' : ''
set xlabel 'width'
set title 'copy to the host (thesis: independent of devices)'
plot for [i = 1:words(counts)] copied('app_dtoh_s', word(counts, i), 'broadcast') with yerrorlines linestyle i title ''
