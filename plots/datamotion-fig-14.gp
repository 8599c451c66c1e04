load 'style.gp'
variants = 'first-touch prefetch read-mostly accessed-by preferred-host zero-copy explicit'
bytes = fetch('SELECT max(bytes) FROM unified_memory_access_median WHERE bandwidth_gbs > 0')
set title 'An array of ' . fetch('SELECT ' . bytes . ' >> 20') . ' MiB by pattern of access and way to the device'
groups = 'read-once read-many write-only random ping-pong'
@points_x
@rates_y
set key maxrows 2
set ylabel 'size of the array / time'
plot for [i = 1:words(variants)] for [g = 1:5] q(sprintf("SELECT 1e9 * median(bandwidth_gbs), 1e9 * " \
    . "interval_low(bandwidth_gbs), " \
        . "1e9 * interval_high(bandwidth_gbs) FROM unified_memory_access WHERE status = 'pass' AND bytes = %s AND " \
        . "pattern = '%s' AND variant = '%s'", \
        bytes, word(groups, g), word(variants, i))) using (bar(g, i, 7)):1:2:3 @measured_points \
        linestyle i pointsize 1.1 title g == 1 ? word(variants, i) : ''
