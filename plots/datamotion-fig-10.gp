load 'style.gp'
load 'coarrays.gp'
@two_panels
variants = 'datamotion libcaf-mpi opencoarrays mpi memcpy'
one = 'coarrays_strided'; places = measured(one . ' ' . one . '_nodes')
@strides_x
@rates_y
set ylabel 'bandwidth'
do for [o in 'put get'] {
    set title 'strided ' . o . (words(places) > 1 ? ' (dashed: two nodes)' : '')
    where = "operation = '" . o . "' AND (variant <> 'memcpy' OR experiment NOT LIKE '%_nodes')"
    plot for [e in places] for [v in variants] transfers(e, 'stride', where, \
        v) with yerrorlines \
        linestyle coarray_line(v) + (e eq one ? 0 : 20) title o eq 'get' || e ne one ? '' : v eq 'memcpy' \
        ? 'limit: a loop' : coarray_title(v)
    unset ylabel
}
