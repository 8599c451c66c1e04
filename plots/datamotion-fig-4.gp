load 'style.gp'
@two_rows
kinds = 'transfer wait compute barrier'
low = '0.5+0.45*place/rows 0.27 0.05 0.27'
high = '0.5+0.45*(place+0.8)/rows 0.45 0.23 0.45'
set ytics scale 0 ('worker 0' -0.5, 'worker 1' -1.5)
events = "(SELECT *, 1e3 * begin_s - start AS from_ms, 1e3 * end_s - start AS to_ms FROM prefetch_timeline, (SELECT " \
    . "1 + max(place) AS rows FROM prefetch_timeline) JOIN (SELECT prefetch_blocks, 1e3 * min(begin_s) AS start FROM " \
    . "prefetch_timeline WHERE kind = 'transfer' GROUP BY 1) USING (prefetch_blocks))"
end = fetch('SELECT max(to_ms) FROM ' . events)
do for [k in fetch('SELECT DISTINCT prefetch_blocks FROM prefetch_timeline ORDER BY 1')] {
    set title k . ' blocks ahead, ' . network('prefetch_timeline'); set xlabel k eq '0' ? '' : 'time (ms)'
    plot [0:end] [-2:0] -1 linestyle 10 notitle, for [i = 1:4] q(sprintf("SELECT from_ms, to_ms, %s - 1 - worker, " \
        . "%s - 1 - worker FROM %s WHERE kind = '%s' AND" \
        . ' worker < 2 AND prefetch_blocks = %s', word(low, i), word(high, i), events, word(kinds, i), \
        k)) @spans linestyle i title k eq '0' ? word(kinds, i) : ''
}
