load 'style.gp'
variants = "'one stream' 'two streams'"
groups = fetch("SELECT DISTINCT size_bytes / 1048576 FROM pinning_streams_median ORDER BY " \
    . "size_bytes")
@groups_x
@two_panels
high = number('SELECT max(overlap_ratio) FROM pinning_streams_median') # an interval may be far wider
set xlabel 'size of each copy (MiB)'
do for [o in 'opposite_copies copy_and_kernel'] {
    set title o eq 'opposite_copies' ? 'copies in both directions' : 'a copy and a kernel'
    set ylabel o eq 'opposite_copies' ? 'time relative to one after the other' : ''
    plot [] [0:1.3*high] for [i = 1:2] q(sprintf("SELECT dense_rank() OVER (ORDER BY size_bytes), " \
        . "median(overlap_ratio)," \
        . " interval_low(overlap_ratio), interval_high(overlap_ratio) FROM pinning_streams WHERE status = 'pass'" \
        . " AND operation = '%s' AND variant = replace('%s', ' ', '_') GROUP BY size_bytes", o, word(variants, i))) \
        using (bar($1, i, 2)):2:3:4:(bar_width(2)) @measured_bars linestyle i title o[1:1] eq 'o' ? word(variants, \
        i) : ''
}
