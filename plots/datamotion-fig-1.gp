load 'style.gp'
variants = 'pageable pinned registered mapped'
low = fetch('SELECT 0.6 * min(size_bytes) FROM pinning_copy_median')
high = fetch('SELECT 1.6 * max(size_bytes) FROM pinning_copy_median')
@bytes_x
set logscale y
set yrange [decade_below(fetch('SELECT min(bandwidth_gbs) FROM pinning_copy_median')):decade_above(fetch('SELECT ' \
    . 'max(bandwidth_gbs) FROM pinning_copy_median'))]
@two_panels
do for [d in 'h2d d2h'] {
    set title d eq 'h2d' ? 'host to GPU' : 'GPU to host'
    set ylabel d eq 'h2d' ? 'bandwidth (GB/s)' : ''
    plot for [i = 1:words(variants)] q(sprintf("SELECT size_bytes, bandwidth_gbs FROM pinning_copy_median" \
        . " WHERE variant = '%s' AND direction = '%s' ORDER BY 1", word(variants, i), d)) \
        with linespoints linestyle i title d eq 'h2d' ? word(variants, i) : ''
}
