load 'style.gp'
load 'blp.gp'
@two_panels
variants = 'interleaved per-array'
nodes = nodes_of('blp_bandwidth_arrays')
top = best_rate(word(nodes, 1), 'true')
set xlabel 'copy blocks of all arrays'
@bandwidth_y
set key maxrows 3
# The thesis's per-array needs one block for each of the three arrays.
do for [d in 'in both'] {
    set title d eq 'in' ? 'three arrays in' : 'three arrays in, one out'
    rows(v) = sprintf("direction = '%s' AND bits = 128 AND variant = '%s'", d, word(variants, v))
    plot [0:*] [0:*] for [n = 1:words(nodes)] for [v = 1:2] rates(word(nodes, n), 'blocks', \
        rows(v)) with yerrorlines linestyle 20*n-20+v title d eq 'in' ? word(variants, v) . of_node(n) : '', \
         for [v = 1:2] published_knee(v == 1 ? thesis('cui-c-167', 1) : 3, top) with linespoints \
         linestyle 10+v title d eq 'in' \
         ? 'thesis: knee of ' . word(variants, v) : ''
    unset ylabel
}
