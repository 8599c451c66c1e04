load 'style.gp'
load 'coarrays.gp'
@two_panels
variants = 'datamotion opencoarrays mpi memcpy'
where = "(variant <> 'memcpy' OR experiment NOT LIKE '%_nodes')"
@blocks_x
@rates_y
set ylabel 'bandwidth'
do for [o in 'put get'] {
    one = 'coarrays_' . o; places = measured(one . ' ' . one . '_nodes')
    set title o . (words(places) > 1 ? ' (dashed: two nodes)' : '')
    plot [0.7:*] for [e in places] for [v in variants] transfers(e, 'elements', where, \
        v) with yerrorlines \
        linestyle coarray_line(v) + (e eq one ? 0 : 20) title o eq 'get' || e ne one ? '' : coarray_title(v)
    unset ylabel
}
