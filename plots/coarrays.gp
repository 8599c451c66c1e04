# coarrays.gp: what the figures of coarrays share, in MPI and Fortran. See README.md.
#
# A variant looks the same in every figure: its line style is its place in the list. ucx has that of datamotion-c,
# beside which it is in no figure.
coarray_variants = 'datamotion libcaf-mpi opencoarrays element mpi datamotion-c mpi-c memcpy'
coarray_line(v) = v eq 'ucx' ? 6 : place_in(coarray_variants, v)
coarray_title(v) = v eq 'libcaf-mpi' ? 'libcaf-mpi (thesis)' : v eq 'element' ? 'element (as ' \
    . 'Intel)' : v eq 'memcpy' ? 'limit: memcpy' : v eq 'ucx' ? 'ucx (in place of GASNet)' : v
# Curves that later ones often cover are wider, so that they are seen beside them.
do for [i = 1:3] {
    set style line i linecolor rgb word(colours, i) linewidth 3.8-0.6*i pointtype int(word(filled, \
        i)) pointsize 1.25-0.15*i
    set style line 20+i linecolor rgb word(colours, i) dashtype 2 linewidth 3.8-0.6*i \
        pointtype int(word(filled, i)) pointsize 1.25-0.15*i
}
# The blocks that a figure calls small, and those that it calls big.
small_blocks = 'elements <= 512'
big_blocks = 'elements > 512'
all_blocks = 'true'
blocks_x = counts_x . "; set xlabel 'block size (elements of 8 bytes)'"
strides_x = "set logscale x 2; set format x '%g'; set xlabel 'stride (elements of 8 bytes)'"
# Columns x, rate in byte/s, low and high of a variant.
rate = '8 * elements / mid, 8 * elements / high, 8 * elements / low'
transfers(experiment, x, where, v) = pick(x . ', ' . rate, of(experiment, 'coarrays_times'), where . \
    " AND variant = '" \
    . v . "'")

variant_points = "using (bar($1, i, words(variants))):2:3:4 " . measured_points \
    . " linestyle coarray_line(word(variants, i)) pointsize 1.1"
# Of the rows of a program that `where` names, all numbers of images and nodes: groups; the values of a variant, an
# expression of the time %s, by group, low and high; the least or the largest value.
image_groups(program, where) = fetch("SELECT '''' || ranks || iif(nodes > 1, ' on' || char(10) || nodes || ' nodes', " \
    . "'') || '''' FROM " . runs(program) . ' WHERE ' . where . ' GROUP BY nodes, ranks ORDER BY nodes, ranks')
image_bars(program, where, value, v) = pick('place, ' . timed(value), '(SELECT *, dense_rank() OVER (ORDER BY nodes, ' \
    . 'ranks) AS place FROM ' . runs(program) . ' WHERE ' . where . ')', "variant = '" . v . "'")
extreme(which, program, where, value) = number(sprintf('SELECT %s(%s) FROM ', which, sprintf(value, 'time_s')) \
    . runs(program) . ' WHERE ' . where)
# The whole picture of a program, strong beside weak scaling: wants `variants`, `program`, `condition`, `value`, the
# name of the `kernel` and the thesis's `system`.
scaling_panels = two_panels . "; set logscale y; set yrange [decade_below(extreme('min', program, condition, " \
    . "value)):decade_above(extreme('max', program, condition, value))]; do for [s in 'strong weak'] {where = " \
    . "condition . \" AND scaling = '\" . s . \"'\"; groups = image_groups(program, where);" . points_x \
    . "; set xlabel 'images'; set title kernel . ', ' . s . ' (thesis: ' . system . ')'; plot for [i = " \
    . "1:words(variants)] image_bars(program, where, value, word(variants, i)) " . variant_points \
    . " title s eq 'weak' ? '' : coarray_title(word(variants, i)); unset ylabel }"
