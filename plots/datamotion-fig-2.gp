load 'style.gp'
variants = 'uncached thesis cache pool malloc jemalloc mimalloc'
titles = "uncached 'Algorithm 5.4' cache pool malloc jemalloc mimalloc"
low = fetch('SELECT 0.6 * min(size_bytes) FROM pinning_hit_median')
high = fetch('SELECT 1.6 * max(size_bytes) FROM pinning_hit_median')
@bytes_x; @two_panels
@seconds_y; set logscale y
set yrange [decade_below(fetch('SELECT min(time_s) FROM pinning_hit_median')):decade_above(fetch('SELECT ' \
    . 'max(time_s) FROM pinning_hit_median'))]
do for [pattern in 'pair mixed'] {
    set title pattern eq 'pair' ? 'one block at a time' : '16 blocks of mixed sizes'
    set xlabel pattern eq 'pair' ? 'block size' : 'largest block; the smallest has 4 KiB'
    set ylabel pattern eq 'pair' ? 'allocation and release of a block' : ''
    plot for [i = 1:words(variants)] series('pinning_hit', 'size_bytes', "pattern = '" . pattern . "' AND variant = '" \
         . word(variants, i) . "'") with yerrorlines linestyle i title pattern eq 'pair' ? word(titles, i) : ''
}
