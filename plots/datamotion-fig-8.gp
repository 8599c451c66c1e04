load 'style.gp'
load 'coarrays.gp'
variants = 'datamotion opencoarrays mpi'
groups = fetch('SELECT operation FROM coarrays_sync_median GROUP BY operation ORDER BY min(rowid)')
order = '(SELECT operation, row_number() OVER (ORDER BY min(rowid)) AS place FROM coarrays_sync_median GROUP BY ' \
    . 'operation)'
places = measured('coarrays_sync coarrays_sync_nodes')
if (words(places) > 1) { @two_rows } else { set key maxrows 1 }
@seconds_y; set logscale y; set ylabel 'time'
unset xtics; set xrange [0.5:words(groups)+1]
do for [e in places] {
    if (e eq word(places, words(places))) { @points_x; unset xlabel; set xrange [0.5:words(groups)+1] }
    set title e eq 'coarrays_sync' ? 'Two images on one node' : 'Two images on two nodes'
    plot for [i = 1:words(variants)] q('SELECT place, time_s, time_low_s, time_high_s FROM ' . order . ' JOIN ' . e \
        . '_median USING (operation)' \
        . " WHERE variant = '" . word(variants, i) . "'") @variant_points title e eq 'coarrays_sync' \
        ? coarray_title(word(variants, i)) : ''
}
