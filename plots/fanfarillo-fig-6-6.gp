load 'style.gp'
load 'coarrays.gp'
@two_panels
variants = 'datamotion libcaf-mpi opencoarrays element mpi'
high = fetch('SELECT 1.5 * max(elements) FROM coarrays_put_median')
@blocks_x
set ylabel 'difference of bandwidth (GB/s)'
rates(e) = '(SELECT variant, elements, 8 * elements / time_s AS rate, 8 * elements / time_high_s AS low, 8 * ' \
    . 'elements / time_low_s AS high FROM ' . e . '_median)'
do for [big = 0:1] {
    set title (big ? 'Big' : 'Small') . ' blocks: one put - each of two'
    plot [big ? 700 : 0.7:big ? high : 740] for [v in variants] q('SELECT elements, 1e-9 * (one.rate - two.rate), ' \
        . '1e-9 * (one.low - two.high),' \
        . ' 1e-9 * (one.high - two.low) FROM ' . rates('coarrays_put') . ' AS one JOIN ' . rates('coarrays_put_multi') \
        . ' AS two USING (variant, elements) WHERE ' . (big ? big_blocks : small_blocks) . " AND variant = '" . v \
        . "' ORDER BY 1") \
        with yerrorlines linestyle coarray_line(v) title big ? '' : coarray_title(v)
    unset ylabel
}
