load 'style.gp'
load 'coarrays.gp'
variants = 'datamotion opencoarrays mpi'
set logscale x 2; set logscale y; set xrange [*:1.2*fetch('SELECT max(grid) FROM coarrays_halo_median')]
set xlabel 'edge of an image''s square (elements)'
@seconds_y
places = measured('coarrays_halo coarrays_halo_nodes')
if (words(places) > 1) { @two_panels }
set ylabel 'time of a halo exchange'
do for [e in places] {
    set title e eq 'coarrays_halo' ? '2 images (dashed: two halos strided)' : '4 images on two nodes'
    plot for [l in 'rows grid'] for [v in variants] series(e, 'grid', "layout = '" . l . "' AND variant = '" . v \
        . "'") with yerrorlines \
        linestyle coarray_line(v) + (l eq 'rows' ? 0 : 20) title e eq 'coarrays_halo' && l eq 'rows' \
        ? coarray_title(v) : ''
    unset ylabel
}
